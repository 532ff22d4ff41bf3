// What a page is more comfortable with, and readable without: the switch, menus, folded lists on narrow screens, tabs,
// anchors.
const root = document.documentElement;

function themeSwitch(button) {
  const show = () => button.setAttribute("aria-pressed", String(root.dataset.bsTheme === "dark"));
  button.hidden = false;
  show();
  button.addEventListener("click", () => {
    root.dataset.bsTheme = root.dataset.bsTheme === "dark" ? "light" : "dark";
    try {
      localStorage.setItem("famulus-theme", root.dataset.bsTheme);
    } catch {
      // The choice then holds for this page only.
    }
    show();
  });
}

function foldOnNarrow(details) {
  const narrow = matchMedia("(max-width: 62rem)");
  const follow = () => (details.open = !narrow.matches);
  narrow.addEventListener("change", follow);
  follow();
}

// A menu of the bar stays within the window, and goes when it is left, by Escape or by anything else that is done.
function menu(details) {
  const list = details.querySelector("ul");
  details.addEventListener("toggle", () => {
    list.classList.remove("back");
    list.classList.toggle("back", list.getBoundingClientRect().right > root.clientWidth);
  });
  details.addEventListener("keydown", (event) => {
    if (event.key === "Escape" && details.open) {
      details.open = false;
      details.querySelector("summary").focus();
    }
  });
  details.addEventListener("focusout", (event) => {
    if (event.relatedTarget && !details.contains(event.relatedTarget)) details.open = false;
  });
  document.addEventListener("click", (event) => {
    if (!details.contains(event.target)) details.open = false;
  });
}

function tabs(set, number) {
  const panels = [...set.querySelectorAll(":scope > .tab")];
  const list = document.createElement("div");
  list.setAttribute("role", "tablist");
  const buttons = panels.map((panel, at) => {
    const title = panel.querySelector(":scope > .tab-title");
    const button = document.createElement("button");
    button.type = "button";
    button.id = `tab-${number}-${at}`;
    button.setAttribute("role", "tab");
    button.append(...title.cloneNode(true).childNodes);
    panel.setAttribute("role", "tabpanel");
    panel.setAttribute("aria-labelledby", button.id);
    list.append(button);
    return button;
  });
  const choose = (chosen, focus) => {
    buttons.forEach((button, at) => {
      button.setAttribute("aria-selected", String(at === chosen));
      button.tabIndex = at === chosen ? 0 : -1;
      // The browser's own search and links to a place find what is in a tab, and open it.
      panels[at].hidden = at === chosen ? false : "until-found";
    });
    if (focus) buttons[chosen].focus();
  };
  buttons.forEach((button, at) => {
    button.addEventListener("click", () => choose(at));
    panels[at].addEventListener("beforematch", () => choose(at));
    button.addEventListener("keydown", (event) => {
      const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
      if (step) choose((at + step + buttons.length) % buttons.length, true);
    });
  });
  set.prepend(list);
  set.classList.add("tabbed");
  const aim = named();
  choose(Math.max(0, panels.findIndex((panel) => panel.contains(aim))));
}

// What the address of the page names.
function named() {
  try {
    return document.getElementById(decodeURIComponent(location.hash.slice(1)));
  } catch {
    return null;
  }
}

function anchor(heading) {
  const link = document.createElement("a");
  link.className = "anchor";
  link.href = `#${encodeURIComponent(heading.id)}`;
  link.textContent = "¶";
  link.setAttribute("aria-hidden", "true");
  link.tabIndex = -1;
  heading.append(" ", link);
}

// Lines of code that are too long are scrolled by keys too.
function reachable(code) {
  new ResizeObserver(() => {
    if (code.scrollWidth > code.clientWidth) code.tabIndex = 0;
    else code.removeAttribute("tabindex");
  }).observe(code);
}

function followHeadings(toc) {
  const links = new Map([...toc.querySelectorAll("a[href^='#']")].map((link) => [decodeURIComponent(link.hash.slice(1)), link]));
  const headings = [...links.keys()].map((id) => document.getElementById(id)).filter(Boolean);
  const mark = () => {
    const passed = headings.filter((heading) => heading.getBoundingClientRect().top < innerHeight * 0.3);
    const current = passed.at(-1) ?? headings[0];
    links.forEach((link, id) => link.classList.toggle("here", id === current?.id));
  };
  addEventListener("scroll", mark, { passive: true });
  mark();
}

document.querySelectorAll("button.theme").forEach(themeSwitch);
document.querySelectorAll("nav > details").forEach(foldOnNarrow);
document.querySelectorAll("nav.bar details").forEach(menu);
document.querySelectorAll(".panel-tabset").forEach(tabs);
document.querySelectorAll("main pre").forEach(reachable);
document.querySelectorAll("main :is(h2, h3, h4)[id]").forEach(anchor);
document.querySelectorAll("nav.toc").forEach(followHeadings);
