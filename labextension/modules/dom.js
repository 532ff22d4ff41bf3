/* Elements made of data: text is set as text, and nothing of data is ever read as HTML but what `safe` lets through. */

const TAGS = new Set(
  "P H4 H5 H6 EM STRONG S CODE PRE BLOCKQUOTE UL OL LI A BR HR TABLE THEAD TBODY TR TH TD".split(" "),
);
const LINE_ENDS = /\r\n?|[\v\f\u0085\u2028\u2029]/g;
const ACTING = /[\0-\x08\x0e-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ufffe\uffff]/g;
const UNSAFE = /[\0-\x20\x7f-\xa0\\<>"`{}|^\u202a-\u202e\u2066-\u2069\ud800-\udfff]/;
const ALLOWED = /^(?:https?:\/\/[^/?#]|mailto:)/i;

/**
 * Make an element.
 *
 * @param {string} name of the element, with its classes: `p.famulus-title`
 * @param {Record<string, string | undefined>} attributes those that are undefined are left out
 * @param {...(string | Node | null | undefined)} children
 */
export function element(name, attributes = {}, ...children) {
  const [tag, ...classes] = name.split(".");
  const made = document.createElement(tag);
  made.classList.add(...classes);
  for (const [key, value] of Object.entries(attributes)) {
    if (value !== undefined) {
      made.setAttribute(key, value);
    }
  }
  made.append(...children.filter((child) => child !== null && child !== undefined && child !== "")
    .map((child) => (typeof child === "string" ? visible(child) : child)));
  return made;
}

/** Return text for a reader: what would act instead of being read (controls, overrides) is U+FFFD. */
export function visible(text) {
  return String(text).replace(LINE_ENDS, "\n").replace(ACTING, "\ufffd");
}

/** Return an address where it may become a link: http, https, mailto or relative; undefined otherwise. */
export function safeUrl(url) {
  const address = typeof url === "string" ? url.trim() : "";
  if (!address || UNSAFE.test(address) || address.startsWith("//")) {
    return undefined;
  }
  return ALLOWED.test(address) || !/^[^/?#]*:/.test(address) ? address : undefined;
}

/** Return a link where the address may be one, else the text alone. */
export function link(url, text) {
  const href = safeUrl(url);
  return href === undefined ? text : element("a", { href, target: "_blank", rel: "noopener noreferrer" }, text);
}

/** Return an element that holds data for a script of the pages. */
export function data(name, value) {
  const made = element(`script.${name}`, { type: "application/json" });
  made.text = JSON.stringify(value);
  return made;
}

/** Return what HTML from elsewhere says as elements of prose; every other element is dropped, and its text kept. */
export function safe(html) {
  const copied = (node) => {
    if (node.nodeType === Node.TEXT_NODE) {
      return [visible(node.data)];
    }
    if (node.nodeType !== Node.ELEMENT_NODE || ["SCRIPT", "STYLE", "TEMPLATE"].includes(node.tagName)) {
      return [];
    }
    const inside = [...node.childNodes].flatMap(copied);
    if (!TAGS.has(node.tagName)) {
      return inside;
    }
    if (node.tagName === "A") {
      const href = safeUrl(node.getAttribute("href"));
      return href === undefined ? inside
        : [element("a", { href, target: "_blank", rel: "noopener noreferrer" }, ...inside)];
    }
    return [element(node.tagName.toLowerCase(), {}, ...inside)];
  };
  const made = document.createDocumentFragment();
  made.append(...copied(new DOMParser().parseFromString(html, "text/html").body));
  return made;
}
