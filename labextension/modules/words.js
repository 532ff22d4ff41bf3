/* Words and numbers in the language of a document: labels.json, which the pages read too, and the rules of
   `famulus_kernel/artefacts/numbers.py`. */

const FALLBACK = "en";
const NUMERIC = /^(?:U?(?:TINYINT|SMALLINT|INTEGER|BIGINT|HUGEINT)|FLOAT|REAL|DOUBLE|BIGNUM|VARINT|DECIMAL(?:\([0-9, ]+\))?)$/i;
const PLAIN = /^(-?)([0-9]+)(?:\.([0-9]+))?$/;

let words = { [FALLBACK]: {} };

/** Read the labels of all languages; without them keys stand for words. */
export async function readWords(url) {
  const answer = await fetch(url);
  if (answer.ok) {
    words = await answer.json();
  }
}

function languageOf(tag) {
  const primary = String(tag ?? "").split(/[-_]/)[0].toLowerCase();
  return primary in words || primary === "de" ? primary : FALLBACK;
}

/** Return the word for a key of labels.json, with values in the place of its braces. */
export function label(key, lang, values = {}) {
  const text = words[languageOf(lang)]?.[key] ?? key;
  return text.replace(/\{(\w+)\}/g, (whole, name) => (name in values ? String(values[name]) : whole));
}

const hasLabel = (key) => Object.hasOwn(words[FALLBACK], key);

/** Return what a label of a view says: a literal text or a key. */
export function resolve(of, lang) {
  return of === null || of === undefined ? "" : of.message ? label(of.message, lang) : of.text ?? "";
}

/** Say whether DuckDB's type of that name holds numbers. */
export const isNumeric = (type) => NUMERIC.test(type ?? "");

/** Return a cell in words; text in a numeric column may be a number that JSON could not carry. */
export function cellText(value, lang, { numeric = false, format = null, words: prefix = null } = {}) {
  if (value === null || value === undefined) {
    return "";
  }
  if (prefix && typeof value === "string" && hasLabel(`${prefix}.${value}`)) {
    return label(`${prefix}.${value}`, lang);
  }
  if (typeof value === "boolean") {
    return label(value ? "value.yes" : "value.no", lang);
  }
  return typeof value === "number" || (numeric && PLAIN.test(value)) ? formatNumber(value, lang, format) : String(value);
}

/**
 * Return a number as text in a language.
 *
 * @param {number | string} value text is a number whose digits must all be kept
 * @param {string} lang BCP 47
 * @param {string | null} format `[,][.N](d|f|%)`, `,` or null
 */
export function formatNumber(value, lang, format = null) {
  const grouped = format === null || format.startsWith(",");
  if (typeof value === "string") {
    return localised(value, lang, grouped);
  }
  const kind = format ? format.at(-1) : ",";
  if (kind === ",") {
    return localised(plain(value), lang, true);
  }
  if (kind === "d") {
    return localised(fixed(value, 0), lang, grouped);
  }
  const decimals = Number(format.replace(/[^0-9]/g, "") || 6);
  const sign = kind === "f" ? "" : languageOf(lang) === "de" ? "\u00a0%" : "%";
  return localised(fixed(kind === "f" ? value : value * 100, decimals), lang, grouped) + sign;
}

function plain(value) {
  if (Number.isInteger(value) && Math.abs(value) < 1e15) {
    return String(value === 0 ? 0 : value);
  }
  if (Math.abs(value) >= 1e-3 && Math.abs(value) < 1e15) {
    return fixed(value, 4).replace(/0+$/, "").replace(/\.$/, "");
  }
  const [mantissa, exponent] = value.toExponential(3).split("e");
  return `${mantissa.replace(/0+$/, "").replace(/\.$/, "")}e${Number(exponent)}`;
}

/** Return a number with so many decimals; halves go to the even digit, as C has it, and no zero is negative. */
function fixed(value, decimals) {
  if (Math.abs(value) >= 1e21) {
    return BigInt(value) + (decimals ? `.${"0".repeat(decimals)}` : "");
  }
  let digits = value.toFixed(decimals);
  const rest = value.toFixed(Math.min(100, decimals + 60)).split(".")[1].slice(decimals);
  if (/^50*$/.test(rest) && Number(digits.at(-1)) % 2 === 1) {
    const down = Math.abs(value) - 0.5 * 10 ** -decimals;
    digits = (value < 0 ? "-" : "") + down.toFixed(decimals);
  }
  return /[1-9]/.test(digits) ? digits : digits.replace("-", "");
}

/** Return what parts decimals in a language. */
export const pointOf = (lang) => (languageOf(lang) === "de" ? "," : ".");

function localised(number, lang, grouped) {
  const point = pointOf(lang);
  const group = point === "," ? "." : ",";
  const [mantissa, exponent] = number.split("e");
  const found = PLAIN.exec(mantissa);
  if (!found) {
    return number;
  }
  const whole = grouped ? found[2].replace(/\B(?=(?:\d{3})+$)/g, group) : found[2];
  return found[1] + whole + (found[3] ? point + found[3] : "") + (exponent === undefined ? "" : `e${exponent}`);
}
