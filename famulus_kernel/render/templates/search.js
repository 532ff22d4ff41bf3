// The search over all pages. The index is a script beside this one, fetched when somebody searches; nothing leaves the page.
(() => {
  const MOST = 30;
  const AROUND = 70;
  const MARKS = /[\u0300-\u036f]/g;
  const here = document.currentScript.src;
  const dialog = document.querySelector("dialog.search");
  const button = document.querySelector("button.search");
  // A page that is one file has no index beside it.
  if (!here || !dialog?.showModal || !button) return;
  const field = dialog.querySelector("input");
  const status = dialog.querySelector("[role='status']");
  const list = dialog.querySelector("ol");
  const words = dialog.dataset;
  let sections = null;
  let fetching = null;

  // One letter for one letter, so that a place in the plain text is a place in the text.
  const plain = (text) =>
    [...text].map((letter) => letter.normalize("NFD").replace(MARKS, "").toLowerCase().slice(0, 1) || letter).join("");

  function read(pages) {
    sections = pages.flatMap(([address, title, parts]) =>
      (parts.length ? parts : [["", "", ""]]).map(([anchor, heading, text], at) => ({
        address, title, anchor, heading, letters: [...text],
        inTitle: plain(title), inHeading: plain(heading), inText: plain(text), first: at === 0,
      })));
  }

  function index() {
    fetching ??= new Promise((resolve, reject) => {
      const script = document.createElement("script");
      script.src = new URL("search-index.js", here);
      script.addEventListener("load", () => resolve(read(window.famulusSearchIndex)));
      script.addEventListener("error", reject);
      document.head.append(script);
    });
    return fetching;
  }

  function weight(section, wanted) {
    let sum = 0;
    for (const word of wanted) {
      const inTitle = section.inTitle.includes(word);
      const inHeading = section.inHeading.includes(word);
      const inText = section.inText.split(word).length - 1;
      if (!inHeading && !inText && !(inTitle && section.first)) return 0;
      sum += (inTitle && section.first ? 12 : 0) + (inHeading ? 8 : 0) + Math.min(inText, 5);
    }
    return sum;
  }

  // Text with the words that were looked for marked, written as text.
  function marked(letters, from, to, wanted) {
    const piece = letters.slice(from, to);
    const low = plain(piece.join(""));
    const fragment = document.createDocumentFragment();
    let at = 0;
    while (at < piece.length) {
      const next = wanted.map((word) => [low.indexOf(word, at), word.length]).filter(([place]) => place >= 0)
        .sort((one, other) => one[0] - other[0] || other[1] - one[1])[0];
      if (!next) break;
      fragment.append(piece.slice(at, next[0]).join(""));
      const mark = document.createElement("mark");
      mark.textContent = piece.slice(next[0], next[0] + next[1]).join("");
      fragment.append(mark);
      at = next[0] + next[1];
    }
    fragment.append(piece.slice(at).join(""));
    return fragment;
  }

  function excerpt(section, wanted) {
    // Around the place that has most of the words near it.
    const near = (place) => wanted.filter((word) => {
      const at = section.inText.indexOf(word, Math.max(0, place - AROUND));
      return at >= 0 && at < place + 2 * AROUND;
    }).length;
    const places = wanted.map((word) => section.inText.indexOf(word)).filter((place) => place >= 0)
      .sort((one, other) => near(other) - near(one) || one - other);
    const place = places[0] ?? 0;
    const whole = section.letters;
    // Whole words only, where there are any near.
    const before = place < AROUND ? -1 : whole.indexOf(" ", place - AROUND);
    const after = whole.lastIndexOf(" ", place + 2 * AROUND);
    const from = place < AROUND ? 0 : before >= 0 && before < place ? before + 1 : place - AROUND;
    const to = place + 2 * AROUND >= whole.length ? whole.length : after > place ? after : place + 2 * AROUND;
    const line = document.createElement("p");
    line.append(from ? "… " : "", marked(whole, from, to, wanted), to < whole.length ? " …" : "");
    return line;
  }

  function result(section, wanted) {
    const item = document.createElement("li");
    const link = document.createElement("a");
    const address = new URL(`../${section.address}`, here);
    if (section.anchor) address.hash = section.anchor;
    link.href = address;
    const name = section.heading ? `${section.title} › ${section.heading}` : section.title;
    link.append(marked([...name], 0, name.length, wanted));
    link.addEventListener("click", () => dialog.close());
    item.append(link);
    if (section.letters.length) item.append(excerpt(section, wanted));
    return item;
  }

  function show() {
    const wanted = plain(field.value).split(/\s+/).filter((word) => word);
    const found = !wanted.length || !sections ? []
      : sections.map((section) => [weight(section, wanted), section]).filter(([sum]) => sum)
        .sort((one, other) => other[0] - one[0]).map(([, section]) => section);
    list.replaceChildren(...found.slice(0, MOST).map((section) => result(section, wanted)));
    status.textContent = wanted.length && sections ? words.found.replace("{count}", String(found.length)) : "";
  }

  async function search() {
    try {
      await index();
      show();
    } catch {
      status.textContent = words.missing;
    }
  }

  function open() {
    dialog.showModal();
    field.select();
    search();
  }

  button.hidden = false;
  button.addEventListener("click", open);
  field.addEventListener("input", search);
  document.addEventListener("keydown", (event) => {
    if ((event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey && event.key.toLowerCase() === "k") {
      event.preventDefault();
      if (!dialog.open) open();
    }
  });
  dialog.addEventListener("click", (event) => {
    if (event.target === dialog) dialog.close();
  });
  dialog.addEventListener("keydown", (event) => {
    const links = [...list.querySelectorAll("a")];
    const at = links.indexOf(document.activeElement);
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step && (at >= 0 || document.activeElement === field) && links.length) {
      event.preventDefault();
      (links[at + step] ?? (step < 0 ? field : links.at(-1))).focus();
    } else if (event.key === "Enter" && document.activeElement === field) {
      event.preventDefault();
      links[0]?.click();
    }
  });
})();
