// Before the page is drawn: the reader's choice of light or dark, else what the system asks for.
(() => {
  let chosen = null;
  try {
    chosen = localStorage.getItem("famulus-theme");
  } catch {
    // A page may be kept from storing anything; then the system decides.
  }
  const dark = chosen ? chosen === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  document.documentElement.dataset.bsTheme = dark ? "dark" : "light";
})();
