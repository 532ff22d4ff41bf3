/*
 * Graphs in motion: what `modules/graph.lua` puts beside the static picture of a graph becomes a view that can be
 * searched, walked by keys, moved and zoomed. Without this file, or without JavaScript, the picture stands.
 *
 * Everything that comes from data is set as text or as an attribute that holds no code; nothing is written as HTML, and no
 * element gets a style, so that a page may forbid inline scripts and styles.
 *
 * @typedef {{ label: string, group: number, groupName: string, weight: number, url: string | null, x: number, y: number,
 *   radius: number, near: Set<number>, index: number }} GraphNode
 */
(function () {
  "use strict";

  const d3 = window.famulusD3;
  const SVG = "http://www.w3.org/2000/svg";
  const GROUPS = 8;
  const LETTERS = 32;
  const FONT = 12;
  const ROUNDS = 250;
  const MANY = 300;
  const WEB = /^(?:https?:\/\/|mailto:|[^:]*$|[^:/?#]*[/?#])/i;

  /** Make an element with attributes and text. */
  function element(name, attributes, text) {
    const made = name === "svg" || name === "g" ? document.createElementNS(SVG, name) : document.createElement(name);
    for (const [key, value] of Object.entries(attributes || {})) {
      made.setAttribute(key, value);
    }
    if (text !== undefined) {
      made.textContent = text;
    }
    return made;
  }

  /** Letters without marks and case: who looks for Durer finds Dürer. */
  function plain(text) {
    return text.normalize("NFD").replace(/[\u0300-\u036f]/g, "").toLowerCase().replace(/ß/g, "ss");
  }

  function fill(pattern, values) {
    return pattern.replace(/\{(\w+)\}/g, (whole, name) => (name in values ? String(values[name]) : whole));
  }

  /** Read nodes and edges as Lua writes them: rows of label, group, weight, address; and of from, to, weight. */
  function read(data) {
    const groups = [...new Set(data.nodes.map((row) => row[1]).filter((name) => name))];
    const heaviest = Math.max(...data.nodes.map((row) => row[2]), 0) || 1;
    const alike = data.nodes.every((row) => row[2] === heaviest);
    const largest = alike ? 6 : data.nodes.length < 100 ? 14 : 9;
    const nodes = data.nodes.map(([label, group, weight, url], index) => ({
      label,
      index,
      weight,
      group: group && groups.length > 1 ? Math.min(groups.indexOf(group), GROUPS - 1) : 0,
      groupName: group || "",
      url: url && WEB.test(url) ? url : null,
      radius: 3 + (largest - 3) * Math.sqrt(Math.max(weight, 0) / heaviest),
      near: new Set(),
    }));
    const edges = data.edges
      .map(([source, target, weight]) => ({ source, target, weight }))
      .filter((edge) => nodes[edge.source] && nodes[edge.target] && edge.source !== edge.target);
    for (const edge of edges) {
      nodes[edge.source].near.add(edge.target);
      nodes[edge.target].near.add(edge.source);
    }
    return { nodes, edges, groups: groups.length > 1 ? groups : [] };
  }

  /** Lay nodes out; the same graph gives the same view. */
  function simulate(nodes, edges) {
    const simulation = d3
      .forceSimulation(nodes)
      .force("link", d3.forceLink(edges).distance(nodes.length < 100 ? 90 : 50).strength((edge) =>
        1 / Math.min(edge.source.near.size, edge.target.near.size)))
      .force("charge", d3.forceManyBody().strength(nodes.length < 100 ? -420 : -80).distanceMax(300))
      .force("collide", d3.forceCollide((node) => node.radius + 3))
      .force("x", d3.forceX().strength(0.1))
      .force("y", d3.forceY().strength(0.13))
      .stop();
    simulation.tick(ROUNDS);
    return simulation;
  }

  /** One graph of the page. */
  class Live {
    constructor(place, data) {
      Object.assign(this, read(data));
      this.place = place;
      this.words = data.words;
      this.chosen = -1;
      this.still = window.matchMedia("(prefers-reduced-motion: reduce)").matches;
      this.simulation = simulate(this.nodes, this.edges)
        .on("tick", () => this.put()).on("end", () => this.name());
      this.build();
      this.watch();
      this.put();
      new ResizeObserver(() => this.fit()).observe(this.place);
      this.fit();
    }

    build() {
      const bar = element("div", { class: "famulus-bar famulus-graph-bar" });
      this.search = element("input", { type: "search", autocomplete: "off", spellcheck: "false" });
      const name = element("label", {}, `${this.words.search} `);
      name.append(this.search);
      this.status = element("span", { class: "famulus-status famulus-graph-status", role: "status" });
      bar.append(name, this.status);
      this.svg = element("svg", { tabindex: "0", role: "application", class: "famulus-graph-view" });
      this.svg.setAttribute("aria-label", `${this.words.name}. ${this.words.keys}`);
      this.svg.append(element("g"));
      const stage = d3.select(this.svg).select("g");
      const heaviest = Math.max(...this.edges.map((edge) => edge.weight), 0) || 1;
      this.lines = stage.selectAll("line").data(this.edges).join("line")
        .attr("class", this.edges.length > MANY ? "famulus-edge famulus-thin" : "famulus-edge")
        .attr("stroke-width", (edge) => 0.7 + 3 * Math.sqrt(Math.max(edge.weight, 0) / heaviest));
      this.marks = stage.selectAll("g").data(this.nodes).join("g")
        .attr("class", (node) => `famulus-node famulus-group-${node.group}`);
      this.marks.append("circle").attr("r", (node) => node.radius);
      this.marks.append("text").attr("x", (node) => node.radius + 3).attr("dy", "0.35em")
        .text((node) => (node.label.length > LETTERS ? `${node.label.slice(0, LETTERS - 1)}…` : node.label));
      this.marks.append("title").text((node) => node.label);
      const names = element("ul", { class: "famulus-graph-groups" });
      for (const [at, group] of this.groups.entries()) {
        names.append(element("li", { class: `famulus-group-${Math.min(at, GROUPS - 1)}` }, group));
      }
      this.place.prepend(bar, this.svg, ...(this.groups.length ? [names] : []));
      this.place.classList.add("famulus-graph-live");
    }

    /** Put everything where the simulation has it. */
    put() {
      this.lines
        .attr("x1", (edge) => edge.source.x).attr("y1", (edge) => edge.source.y)
        .attr("x2", (edge) => edge.target.x).attr("y2", (edge) => edge.target.y);
      this.marks.attr("transform", (node) => `translate(${node.x},${node.y})`);
    }

    watch() {
      this.zoom = d3.zoom().scaleExtent([0.2, 8])
        // The page must scroll on: a wheel zooms where the graph has the focus, and a finger alone does not move it.
        .filter((event) => (event.type === "wheel" ? event.ctrlKey || document.activeElement === this.svg
          : event.touches ? event.touches.length > 1 : !event.button))
        .on("zoom", (event) => d3.select(this.svg).select("g").attr("transform", event.transform)
          .attr("font-size", FONT / event.transform.k))
        .on("end", () => this.name());
      d3.select(this.svg).call(this.zoom).on("dblclick.zoom", null).on("click", (event) => {
        if (event.target === this.svg) {
          this.choose(-1);
        }
      });
      this.marks.call(d3.drag().on("start drag end", (event, node) => this.pull(event, node)))
        .on("click", (_, node) => this.choose(node.index))
        .on("pointerenter", (_, node) => this.light(node.index))
        .on("pointerleave", () => this.light(this.chosen));
      this.svg.addEventListener("keydown", (event) => this.press(event));
      this.svg.addEventListener("focus", () => {
        if (this.chosen < 0 && this.svg.matches(":focus-visible")) {
          this.status.textContent = this.words.keys;
        }
      });
      this.search.addEventListener("input", () => this.find(this.search.value));
      this.search.addEventListener("keydown", (event) => {
        if (event.key === "Enter" && this.found && this.found.length) {
          event.preventDefault();
          this.choose(this.found[0]);
          this.reveal(this.nodes[this.found[0]]);
          this.svg.focus();
        } else if (event.key === "Escape") {
          this.search.value = "";
          this.find("");
        }
      });
    }

    /** Show the whole graph. */
    fit() {
      const width = Math.max(this.place.clientWidth, 280);
      const height = Math.min(Math.max(0.7 * width, 280), 600);
      this.svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
      const [xs, ys] = [this.nodes.map((node) => node.x), this.nodes.map((node) => node.y)];
      const [left, right, top, bottom] = [Math.min(...xs, 0), Math.max(...xs, 0), Math.min(...ys, 0), Math.max(...ys, 0)];
      // Names run to the right of their nodes.
      const room = Math.min(170, 0.28 * width);
      const scale = Math.min((width - 30 - room) / (right - left || 1), (height - 40) / (bottom - top || 1), 1.3);
      const at = d3.zoomIdentity.translate((width - room) / 2, height / 2).scale(scale)
        .translate(-(left + right) / 2, -(top + bottom) / 2);
      d3.select(this.svg).call(this.zoom.transform, at);
    }

    /** Name the strongest nodes, none over the name of another: the closer one looks, the more are named. */
    name() {
      const size = FONT / d3.zoomTransform(this.svg).k;
      const taken = [];
      for (const node of this.nodes) {
        const left = node.x + node.radius + 3;
        const right = left + Math.min(node.label.length, LETTERS) * size * 0.55;
        const hidden = taken.some((other) =>
          left < other.right && other.left < right && Math.abs(node.y - other.y) < size);
        if (!hidden) {
          taken.push({ left, right, y: node.y });
        }
        node.named = !hidden;
      }
      this.marks.classed("famulus-unnamed", (node) => !node.named);
    }

    pull(event, node) {
      if (event.type === "start" && !this.still) {
        this.simulation.alphaTarget(0.2).restart();
      }
      [node.fx, node.fy] = event.type === "end" ? [null, null] : [event.x, event.y];
      if (this.still) {
        [node.x, node.y] = [event.x, event.y];
        this.put();
      } else if (event.type === "end") {
        this.simulation.alphaTarget(0);
      }
    }

    /** Bring a node and its neighbours out; -1 brings all back. */
    light(index) {
      const node = this.nodes[index];
      const seen = (one) => !node || one.index === index || node.near.has(one.index);
      this.marks.classed("famulus-faint", (one) => !seen(one))
        .classed("famulus-near", (one) => Boolean(node) && seen(one))
        .classed("famulus-chosen", (one) => one.index === index);
      this.lines.classed("famulus-faint", (edge) => Boolean(node) && edge.source !== node && edge.target !== node);
    }

    choose(index) {
      this.chosen = index;
      this.light(index);
      const node = this.nodes[index];
      this.status.replaceChildren();
      if (node) {
        const said = node.near.size === 1 ? this.words.neighbour : this.words.neighbours;
        const words = fill(said, { name: node.label, count: node.near.size });
        const link = { href: node.url, target: "_blank", rel: "noopener noreferrer" };
        this.status.append(node.url ? element("a", link, words) : words);
      }
    }

    /** Move the view so that a node which a key has chosen is in it; at once, for nobody asked for motion. */
    reveal(node) {
      const at = d3.zoomTransform(this.svg);
      const [x, y] = at.apply([node.x, node.y]);
      const { width, height } = this.svg.viewBox.baseVal;
      if (x < 0 || y < 0 || x > width || y > height) {
        d3.select(this.svg).call(this.zoom.translateTo, node.x, node.y);
      }
    }

    find(text) {
      const wanted = plain(text.trim());
      this.found = wanted
        ? this.nodes.filter((node) => plain(node.label).includes(wanted)).map((node) => node.index) : null;
      if (!this.found) {
        this.choose(-1);
        return;
      }
      const hits = new Set(this.found);
      this.marks.classed("famulus-faint", (node) => !hits.has(node.index))
        .classed("famulus-near", (node) => hits.has(node.index)).classed("famulus-chosen", false);
      this.lines.classed("famulus-faint", true);
      this.status.textContent = fill(this.words.found, { count: hits.size });
    }

    press(event) {
      const last = this.nodes.length - 1;
      const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
      const scale = { "+": 1.3, "=": 1.3, "-": 1 / 1.3, "−": 1 / 1.3 }[event.key];
      if (event.ctrlKey || event.metaKey || event.altKey || last < 0) {
        return;
      } else if (step) {
        const next = this.chosen + step;
        this.choose(next < 0 ? last : next > last ? 0 : next);
        this.reveal(this.nodes[this.chosen]);
      } else if (event.key === "Home" || event.key === "End") {
        this.choose(event.key === "Home" ? 0 : last);
        this.reveal(this.nodes[this.chosen]);
      } else if (event.key === "Escape") {
        this.choose(-1);
      } else if (event.key === "Enter" && this.status.querySelector("a")) {
        this.status.querySelector("a").click();
      } else if (scale) {
        d3.select(this.svg).call(this.zoom.scaleBy, scale);
      } else if (event.key === "0") {
        this.fit();
      } else {
        return;
      }
      event.preventDefault();
      event.stopPropagation(); // slides go on by the same keys
    }
  }

  function start() {
    for (const script of document.querySelectorAll("script.famulus-graph-data")) {
      const place = script.closest(".famulus-graph");
      if (!place || place.classList.contains("famulus-graph-live")) {
        continue;
      }
      try {
        new Live(place, JSON.parse(script.textContent));
      } catch (error) {
        // The picture still stands, and that is what it is there for.
        console.warn("famulus: a graph stays a picture:", error);
      }
    }
  }

  // A page is drawn once; where more is drawn later (JupyterLab), this is called again.
  window.famulusGraphs = start;
  if (d3 && document.readyState === "loading") {
    document.addEventListener("DOMContentLoaded", start);
  } else if (d3) {
    start();
  }
})();
