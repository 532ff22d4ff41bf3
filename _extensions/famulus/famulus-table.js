/*
 * Tables that a reader can order and filter: what `modules/tables.lua` writes is a whole table, and stays one without this
 * file or without JavaScript.
 *
 * A heading becomes a button that orders the rows: upwards, downwards, and as they stood. Numbers and days go by their
 * value, what stands left of a keyword by its last word backwards, texts by the language of the page; what is missing
 * comes last. A filter above a longer table leaves the rows that hold all words. What happened is said in words, also to those
 * who do not see it.
 *
 * Nothing is written as HTML and no element gets a style, so that a page may forbid inline scripts and styles.
 */
(function () {
  "use strict";

  const FEW = 10;
  const MARKS = /[\u0300-\u036f]/g;
  const BEFORE_CHRIST = /\(BC\)\s*$/;

  function element(name, attributes, text) {
    const made = document.createElement(name);
    for (const [key, value] of Object.entries(attributes || {})) {
      made.setAttribute(key, value);
    }
    made.textContent = text || "";
    return made;
  }

  function fill(pattern, values) {
    return pattern.replace(/\{(\w+)\}/g, (whole, name) => (name in values ? String(values[name]) : whole));
  }

  /** Letters without marks and case: who looks for Durer finds Dürer. */
  function plain(text) {
    return text.normalize("NFD").replace(MARKS, "").toLowerCase().replace(/ß/g, "ss");
  }

  /** Read a number as the page writes it. */
  function numberOf(text, point) {
    const digits = text.replace(/−/g, "-").replace(point === "," ? /[^\d,eE+-]/g : /[^\d.eE+-]/g, "").replace(",", ".");
    const value = /infinity/i.test(text) ? Infinity * (text.startsWith("-") ? -1 : 1) : parseFloat(digits);
    return Number.isNaN(value) ? null : value;
  }

  /** Read a day or a moment as DuckDB writes it; days before Christ count backwards. */
  function dayOf(text) {
    const parts = text.match(/\d+/g);
    if (!parts) {
      return null;
    }
    const [year, ...rest] = parts.map(Number);
    const age = BEFORE_CHRIST.test(text) || text.startsWith("-") ? -year : year;
    return [age, ...rest];
  }

  /** Words without the marks around them. */
  function bare(text) {
    return text.split(/\s+/).map((word) => word.replace(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, "")).filter((word) => word);
  }

  function compareDays(one, other) {
    for (let at = 0; at < Math.max(one.length, other.length); at += 1) {
      if ((one[at] ?? 0) !== (other[at] ?? 0)) {
        return (one[at] ?? 0) - (other[at] ?? 0);
      }
    }
    return 0;
  }

  /** A language as the browser knows it; nothing where the page gives no tag. */
  function localeOf(tag) {
    try {
      return Intl.getCanonicalLocales(tag.replace(/_/g, "-"))[0];
    } catch {
      return undefined;
    }
  }

  /** One table of the page. */
  class Live {
    constructor(place, table, words) {
      Object.assign(this, { place, words });
      this.body = table.tBodies[0];
      this.rows = [...this.body.rows];
      const lang = localeOf(words.lang);
      this.number = new Intl.NumberFormat(lang);
      this.partial = place.dataset.partial === "true";
      const collator = new Intl.Collator(lang, { numeric: true });
      this.orders = {
        number: { read: (text) => numberOf(text, words.point), compare: (one, other) => Math.sign(one - other) || 0 },
        date: { read: dayOf, compare: compareDays },
        left: { read: (text) => bare(text).reverse().join(" "), compare: collator.compare },
        right: { read: (text) => bare(text).join(" "), compare: collator.compare },
        text: { read: (text) => text, compare: collator.compare },
      };
      this.sorted = { column: -1, down: false };
      this.buttons = [...table.tHead.rows[0].cells].map((head, at) => this.button(head, at));
      this.bar();
      new ResizeObserver(() => this.reach()).observe(place);
      place.addEventListener("scroll", () => this.reach(), { passive: true });
    }

    button(head, at) {
      const end = getComputedStyle(head).textAlign === "right";
      const button = element("button", { type: "button", class: end ? "famulus-sort famulus-sort-end" : "famulus-sort" });
      const name = element("span");
      name.append(...head.childNodes);
      button.append(name);
      head.append(button);
      button.addEventListener("click", () => this.press(at));
      button.addEventListener("keydown", (event) => {
        if (event.key === " " || event.key === "Enter") {
          event.stopPropagation(); // slides go on by the same keys
        }
      });
      return button;
    }

    bar() {
      const bar = element("div", { class: "famulus-bar famulus-table-bar" });
      if (this.rows.length >= FEW) {
        this.search = element("input", { type: "search", autocomplete: "off", spellcheck: "false" });
        const name = element("label", {}, `${this.words.filter} `);
        name.append(this.search);
        bar.append(name);
        this.search.addEventListener("input", () => this.filter());
        this.search.addEventListener("keydown", (event) => {
          if (event.key === "Escape" && this.search.value) {
            event.preventDefault();
            this.search.value = "";
            this.filter();
          }
        });
      }
      this.status = element("span", { class: "famulus-status", role: "status" });
      bar.append(this.status);
      this.place.before(bar);
    }

    /** A table that does not scroll needs no stop of the keyboard; one that does shows where it goes on. */
    reach() {
      const hidden = this.place.scrollWidth - this.place.clientWidth;
      const first = this.rows[0].cells[0];
      this.place.classList.toggle("famulus-goes-on", hidden - this.place.scrollLeft > 1);
      // What a row is about stays in sight where that leaves room for the rest.
      this.place.classList.toggle("famulus-hold", hidden > 0 && first.offsetWidth < 0.45 * this.place.clientWidth);
      if (hidden > 0) {
        this.place.tabIndex = 0;
      } else {
        this.place.removeAttribute("tabindex");
      }
    }

    /** Go on to the next order of a column: up, down, as it was. */
    press(at) {
      const { column, down } = this.sorted;
      this.sorted = column === at && down ? { column: -1, down: false } : { column: at, down: column === at };
      this.buttons.forEach((button, index) => {
        const head = button.parentElement;
        if (index === this.sorted.column) {
          head.setAttribute("aria-sort", this.sorted.down ? "descending" : "ascending");
        } else {
          head.removeAttribute("aria-sort");
        }
      });
      this.body.append(...this.ordered());
      this.say();
    }

    ordered() {
      const { column, down } = this.sorted;
      if (column < 0) {
        return this.rows;
      }
      const order = this.orders[this.buttons[column].parentElement.dataset.order] || this.orders.text;
      const keyed = this.rows.map((row, index) => {
        const text = row.cells[column].textContent.trim();
        return { row, index, value: text ? order.read(text) : null };
      });
      keyed.sort((one, other) => {
        if (one.value === null || other.value === null) {
          return Number(one.value === null) - Number(other.value === null) || one.index - other.index;
        }
        return (down ? -1 : 1) * order.compare(one.value, other.value) || one.index - other.index;
      });
      return keyed.map((entry) => entry.row);
    }

    filter() {
      const wanted = plain(this.search.value).split(/\s+/).filter((word) => word);
      this.texts = this.texts || new Map(this.rows.map((row) =>
        [row, plain([...row.cells].map((cell) => cell.textContent).join(" "))]));
      for (const row of this.rows) {
        row.hidden = !wanted.every((word) => this.texts.get(row).includes(word));
      }
      this.say();
    }

    say() {
      const said = [];
      const count = (rows) => this.number.format(rows.length);
      if (this.search && this.search.value.trim()) {
        const left = this.rows.filter((row) => !row.hidden);
        said.push(fill(this.words.found, { count: count(left), total: count(this.rows) }));
      }
      if (this.sorted.column >= 0) {
        const column = this.buttons[this.sorted.column].textContent.trim();
        said.push(fill(this.sorted.down ? this.words.down : this.words.up, { column }));
      } else if (!said.length) {
        said.push(this.words.none);
      }
      if (this.partial && (this.sorted.column >= 0 || this.search?.value.trim())) {
        said.push(fill(this.words.within, { count: count(this.rows) }));
      }
      this.status.textContent = said.join(" · ");
    }
  }

  /** The words stand beside a table, or once on the page for all of them. */
  function wordsOf(place) {
    const given = place.parentElement.querySelector(":scope > script.famulus-table-words")
      || document.querySelector("script.famulus-table-words");
    return given ? JSON.parse(given.textContent) : null;
  }

  function start() {
    for (const place of document.querySelectorAll(".famulus-table")) {
      const table = place.querySelector("table");
      const lives = table && table.querySelector(".famulus-sort");
      if (lives || !table?.tHead?.rows.length || !table.tBodies.length || table.tBodies[0].rows.length < 2) {
        continue;
      }
      const words = wordsOf(place);
      try {
        if (words) {
          new Live(place, table, words);
        }
      } catch (error) {
        console.warn("famulus: a table stays as it is:", error);
      }
    }
  }

  // A page is drawn once; where more is drawn later (JupyterLab), this is called again.
  window.famulusTables = start;
  if (document.readyState === "loading") {
    document.addEventListener("DOMContentLoaded", start);
  } else {
    start();
  }
})();
