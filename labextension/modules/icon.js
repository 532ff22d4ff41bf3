/* The icon of .fam files, of the launcher and of the panel: that of the kernel. */

import { lab } from "./shared.js";

const svgstr = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64" width="16">
  <rect fill="#1f4e5f" x="2" y="2" width="60" height="60" rx="12"/>
  <path fill="#fbf7ee" d="M12 17c6.8-2.7 13.6-2.3 20 1.6 6.4-3.9 13.2-4.3 20-1.6v30c-6.8-2.7-13.6-2.3-20 1.6-6.4-3.9-13.2-4.3-20-1.6z"/>
  <path stroke="#1f4e5f" stroke-width="2" d="M32 19v29" fill="none"/>
  <path stroke="#8a9aa0" stroke-width="2" fill="none" d="M17 24.5c3.6-1 7.2-.8 10.6.7M17 31c3.6-1 7.2-.8 10.6.7M17 37.5c3.6-1 7.2-.8 10.6.7"/>
  <path stroke="#b5442c" stroke-width="3.6" fill="none" d="M36.5 33l4 4.4 7.2-10.6"/>
</svg>`;

export const famulusIcon = new lab.ui.LabIcon({ name: "famulus:icon", svgstr });

/** The same as an address: the launcher's cards of notebooks take no other form. */
export const famulusIconUrl = `data:image/svg+xml,${encodeURIComponent(svgstr)}`;
