// A text classifier of bayesift: text in, probabilities and labels out. One file, for browsers and for node.
//   browser   <script src="FILE"></script>   bayesift.classify("some text")
//   node      const { classify } = require("./FILE");
// A document is a string, or an object from zone to string: {title: "...", body: "..."}.
(function (root) {
"use strict";
const DATA = /*DATA*/null;

// Words: src/bayesift/text/words.py has the rules.

const LONGEST = 80;
const IDEOGRAPH = /[\u3040-\u30ff\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\u{20000}-\u{3ffff}]/gu;
const ONE_IDEOGRAPH = new RegExp("^" + IDEOGRAPH.source, "u");
const NOT_A_WORD = /[^\p{L}\p{N}\p{M}]/gu, MARK = /^\p{M}/u, SEPARATOR = /[\x00-\x2f\x3a-\x40\x5b-\x60\x7b-\x7f]+/;
const UNSEEN = /[\u00ad\u061c\u200c-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff]/g;
const LONG_RUN = /([\p{M}\uff9e\uff9f]{30})[\p{M}\uff9e\uff9f]+/gu;
const stops = new Set(DATA.stopWords), folds = new Map(DATA.folds);

function casefold(text) {
  let found = "";
  for (const c of text) found += folds.has(c) ? folds.get(c) : c.toLowerCase();
  return found;
}

function fold(piece) {
  if (/^[\x00-\x7f]*$/.test(piece)) return piece.toLowerCase();
  return casefold(casefold(piece.replace(UNSEEN, "")).replace(LONG_RUN, "$1").normalize("NFKC")).normalize("NFKC");
}

function split(piece) {
  let words = piece.replace(NOT_A_WORD, " ").replace(IDEOGRAPH, " $& ").split(" ");
  words = words.map(word => word.replace(/^\p{M}+/u, ""));
  return words.filter(word => word !== "");
}

function keeps(word) {
  if (stops.has(word)) return false;
  const length = [...word].length;
  if (length > LONGEST || (length < DATA.minLength && !ONE_IDEOGRAPH.test(word))) return false;
  return DATA.numbers || !/^\p{Nd}+$/u.test(word);
}

function words(text) {
  const found = [];
  for (const piece of text.split(SEPARATOR)) {
    if (piece === "") continue;
    for (const word of split(fold(piece))) if (keeps(word)) found.push(stem(word));
  }
  return found;
}

// Snowball's stemmer of English (Porter 2).

const VOWEL = "aeiouy";
const STEP2 = [["ational", "ate"], ["fulness", "ful"], ["iveness", "ive"], ["ization", "ize"], ["ousness", "ous"],
  ["biliti", "ble"], ["lessli", "less"], ["tional", "tion"], ["alism", "al"], ["aliti", "al"], ["ation", "ate"],
  ["entli", "ent"], ["fulli", "ful"], ["iviti", "ive"], ["ogist", "og"], ["ousli", "ous"], ["abli", "able"],
  ["alli", "al"], ["anci", "ance"], ["ator", "ate"], ["enci", "ence"], ["izer", "ize"], ["bli", "ble"], ["ogi", "og"],
  ["li", ""]];
const STEP3 = [["ational", "ate"], ["tional", "tion"], ["alize", "al"], ["ative", ""], ["icate", "ic"],
  ["iciti", "ic"], ["ical", "ic"], ["ness", ""], ["ful", ""]];
const STEP4 = ["ement", "able", "ance", "ence", "ible", "ment", "ant", "ate", "ent", "ion", "ism", "iti", "ive", "ize",
  "ous", "al", "er", "ic"];
const SPECIAL = new Map([["skis", "ski"], ["skies", "sky"], ["idly", "idl"], ["gently", "gentl"], ["ugly", "ugli"],
  ["early", "earli"], ["only", "onli"], ["singly", "singl"], ["sky", "sky"], ["news", "news"], ["howe", "howe"],
  ["atlas", "atlas"], ["cosmos", "cosmos"], ["bias", "bias"], ["andes", "andes"]]);
const PREFIX = /^(?:gener|commun|arsen|past|inter|univers|later|emerg|organ)/;

const isVowel = c => c !== undefined && c !== "" && VOWEL.includes(c);

function region(word, from) {  // after the first non-vowel that follows a vowel
  let i = from;
  while (i < word.length && !isVowel(word[i])) i++;
  while (i < word.length && isVowel(word[i])) i++;
  return i < word.length ? i + 1 : -1;
}

function endsShort(w) {
  const n = w.length;
  if (n >= 3 && !isVowel(w[n - 1]) && !"wxY".includes(w[n - 1]) && isVowel(w[n - 2]) && !isVowel(w[n - 3])) return true;
  if (n === 2 && isVowel(w[0]) && !isVowel(w[1])) return true;
  return w.endsWith("past");
}

const hasVowel = text => [...text].some(isVowel);

function stem(word) {
  if (DATA.stem === null || [...word].length < 3) return word;
  if (SPECIAL.has(word)) return SPECIAL.get(word);
  let w = [...word];
  if (w[0] === "y") w[0] = "Y";
  for (let i = 1; i < w.length; i++) if (w[i] === "y" && isVowel(w[i - 1])) w[i] = "Y";
  w = w.join("");
  const prefix = PREFIX.exec(w);
  let p1 = prefix ? prefix[0].length : region(w, 0), p2 = -1;
  if (p1 >= 0) p2 = region(w, p1);
  if (p1 < 0) p1 = w.length;
  if (p2 < 0) p2 = w.length;
  w = steps(w, p1, p2);
  return w.replace(/Y/g, "y");
}

function steps(w, p1, p2) {
  w = step1a(w);
  w = step1b(w, p1);
  if (/[yY]$/.test(w) && w.length > 2 && !isVowel(w[w.length - 2])) w = w.slice(0, -1) + "i";
  w = replaced(w, STEP2, p1, (end, rest) => end === "ogi" ? rest.endsWith("l")
    : end === "li" ? rest !== "" && "cdeghkmnrt".includes(rest[rest.length - 1]) : true);
  w = replaced(w, STEP3, p1, (end, rest) => end !== "ative" || rest.length >= p2);
  const last = STEP4.find(end => w.endsWith(end));
  if (last !== undefined) {
    const rest = w.slice(0, -last.length);
    if (rest.length >= p2 && (last !== "ion" || /[st]$/.test(rest))) w = rest;
  }
  const rest = w.slice(0, -1);
  if (w.endsWith("e") && (rest.length >= p2 || (rest.length >= p1 && !endsShort(rest)))) return rest;
  if (w.endsWith("l") && rest.length >= p2 && rest.endsWith("l")) return rest;
  return w;
}

function step1a(w) {
  if (w.endsWith("sses")) return w.slice(0, -2);
  if (/ie[ds]$/.test(w)) return w.length > 4 ? w.slice(0, -2) : w.slice(0, -1);
  if (/(?:us|ss)$/.test(w)) return w;
  if (w.endsWith("s") && hasVowel(w.slice(0, -2))) return w.slice(0, -1);
  return w;
}

function step1b(w, p1) {
  const found = /(?:eedly|ingly|edly|eed|ing|ed)$/.exec(w);
  if (!found) return w;
  const end = found[0], rest = w.slice(0, -end.length);
  if (end === "eed" || end === "eedly") {
    return /^(?:proc|exc|succ)$/.test(rest) || rest.length < p1 ? w : rest + "ee";
  }
  if (end === "ing") {
    if (/^[^aeiouy]y$/.test(rest)) return rest[0] + "ie";
    if (/^(?:inn|out|cann|herr|earr|even)$/.test(rest)) return w;
  }
  if (!hasVowel(rest)) return w;
  if (/(?:at|bl|iz)$/.test(rest)) return rest + "e";
  if (/(?:bb|dd|ff|gg|mm|nn|pp|rr|tt)$/.test(rest)) return rest.length === 3 && "aeo".includes(rest[0]) ? rest : rest.slice(0, -1);
  return rest.length === p1 && endsShort(rest) ? rest + "e" : rest;
}

function replaced(w, table, least, allowed) {
  const found = table.find(([end]) => w.endsWith(end));
  if (!found) return w;
  const rest = w.slice(0, w.length - found[0].length);
  return rest.length >= least && allowed(found[0], rest) ? rest + found[1] : w;
}

// Markup: src/bayesift/text/markup.py has the rules.

const NAME = "[a-z][a-z0-9_.-]*(?::[a-z][a-z0-9_.-]*)?";
const SPACE = "[ \\t\\n\\r\\f\\v]";
const MARKUP = new RegExp("<!--|<!doctype(?![a-z0-9_])[^<>]*>|<\\?xml[^<>]*>|<!\\[cdata\\[|<\\/(" + NAME + ")" + SPACE + "*>"
  + "|<(?<element>" + NAME + ")(?<value>" + SPACE + "+[a-z0-9_:.-]+" + SPACE + "*=(?!=)[^<>]*)?[ \\t\\n\\r\\f\\v/]*>"
  + "|&(?:[a-z0-9_]{2,32}|#[0-9]{1,8}|#x[0-9a-f]{1,7});", "iy");
const ENDS = {"<!--": /-->/g, script: /<\/script\s*>/gi, style: /<\/style\s*>/gi};
const SINGLE = new Set(["body", "br", "head", "hr", "html", "img", "input", "li", "link", "meta", "option", "p", "tbody",
  "td", "tfoot", "th", "thead", "tr", "wbr"]);
const WITH_VALUE = new Set(["a", "div", "font", "iframe", "script", "span", "table"]);
const entities = new Map(DATA.entities), references = new Map(DATA.references);

function character(found) {
  if (found[1] !== "#") {
    const name = found.slice(1);
    if (entities.has(name)) return entities.get(name);
    for (let n = name.length - 1; n > 1; n--) {
      if (entities.has(name.slice(0, n))) return entities.get(name.slice(0, n)) + name.slice(n);
    }
    return found;
  }
  const number = /^&#x/i.test(found) ? parseInt(found.slice(3), 16) : parseInt(found.slice(2), 10);
  if (references.has(number)) return references.get(number);
  if ((number >= 0xd800 && number <= 0xdfff) || number > 0x10ffff) return "\ufffd";
  return String.fromCodePoint(number);
}

function plain(text) {
  if (!DATA.strip || (!text.includes("<") && !text.includes("&"))) return text;
  const ends = {...ENDS}, closed = new Set();
  for (const match of text.matchAll(new RegExp("<\\/(" + NAME + ")", "gi"))) closed.add(match[1].toLowerCase());
  let out = "", before = 0, at = 0;
  for (let start = 0; start < text.length; start++) {
    if (start < at || (text[start] !== "<" && text[start] !== "&")) continue;
    MARKUP.lastIndex = start;
    const match = MARKUP.exec(text);
    if (!match) continue;
    const found = match[0];
    at = start + found.length;
    let put = " ";
    if (found[0] === "&") {
      put = character(found);
      if (put === found) continue;
      if (put !== "" && /^\s+$/.test(put)) put = " ";
    } else {
      const element = match.groups.element, kind = found === "<!--" ? found : (element || "").toLowerCase();
      const single = SINGLE.has(kind) || found.endsWith("/>") || (match.groups.value && WITH_VALUE.has(kind));
      if (element && !single && !closed.has(kind)) continue;
      if (Object.hasOwn(ends, kind)) {
        ends[kind].lastIndex = at;
        const end = ends[kind].exec(text);
        if (end) at = end.index + end[0].length;
        else {
          delete ends[kind];
          if (kind === "<!--") continue;
        }
      }
    }
    out += text.slice(before, start) + put;
    before = at;
  }
  return out + text.slice(before);
}

// From counts to weights: src/bayesift/text/weighting.py.

const columns = new Map(DATA.terms.split("\n").map((term, column) => [term, column]));
const df = numbers(DATA.df, Uint32Array), N = DATA.documents;
const LOCAL = {raw: tf => tf, tfidf: tf => tf, log: tf => 1 + Math.log(tf), binary: () => 1,
  ltc: tf => 1 + Math.log2(tf), "log-tfidf": tf => 1 + Math.log(tf)};
const smooth = n => 1 + Math.log((1 + N) / (1 + n));
const GLOBAL = {ltc: n => Math.log2(N / n), tfidf: smooth, "log-tfidf": smooth};

function counts(document) {
  const zones = typeof document === "string" ? {"": document} : document, found = new Map();
  const add = term => { const c = columns.get(term); if (c !== undefined) found.set(c, (found.get(c) || 0) + 1); };
  for (const [zone, text] of Object.entries(zones)) {
    const before = [];
    for (const word of words(plain(text))) {
      add(word);
      if (DATA.zones.includes(zone)) add(zone + ":" + word);
      before.push(word);
      if (before.length > DATA.ngrams) before.shift();
      for (let n = 2; n <= before.length; n++) add(before.slice(-n).join(" "));
    }
  }
  return found;
}

function weights(document) {
  const found = [...counts(document)].map(([c, tf]) => [c, LOCAL[DATA.weight](tf) * (GLOBAL[DATA.weight] || (() => 1))(df[c])]);
  if (!GLOBAL[DATA.weight]) return found;
  const length = Math.sqrt(found.reduce((sum, [, x]) => sum + x * x, 0)) || 1;
  return found.map(([c, x]) => [c, x / length]);
}

// Margins, probabilities, labels: src/bayesift/learn/bomc, src/bayesift/decide.

const C = DATA.labels.length, BINS = 256, REACH = 8, PER_UNIT = 16, TINY = 1e-6;
const unseenMean = numbers(DATA.unseenMean, Float32Array), unseenVariance = numbers(DATA.unseenVariance, Float32Array);
const ends = numbers(DATA.ends, Uint32Array), own = numbers(DATA.own, Uint16Array);
const mean = numbers(DATA.mean, Float32Array), variance = numbers(DATA.variance, Float32Array);
const curves = numbers(DATA.curves, Float32Array);
const sigmoid = z => 1 / (1 + Math.exp(-z));
const logit = (p, tiny) => { const q = Math.min(Math.max(p, tiny), 1 - tiny); return Math.log(q / (1 - q)); };

function numbers(text, Kind) {
  const bytes = typeof Buffer === "undefined" ? Uint8Array.from(atob(text), c => c.charCodeAt(0)) : Uint8Array.from(Buffer.from(text, "base64"));
  return new Kind(bytes.buffer);
}

function logOdds(row) {
  const m = new Float64Array(C), q = new Float64Array(C);
  let m0 = 0, q0 = 0, weight = 0;
  for (const [j, x] of row) {
    m0 += x * unseenMean[j];
    q0 += x * x * unseenVariance[j];
    weight += Math.abs(x);
    for (let e = j ? ends[j - 1] : 0; e < ends[j]; e++) {
      m[own[e]] += x * (mean[e] - unseenMean[j]);
      q[own[e]] += x * x * (variance[e] - unseenVariance[j]);
    }
  }
  return Array.from(m, (_, c) => {
    if (weight === 0) return DATA.usual[c];
    const z = (m0 + m[c] - DATA.bias[c]) / Math.sqrt(q0 + q[c] + DATA.biasVariance[c] + DATA.noise);
    const place = (Math.min(Math.max(z, -4 * REACH), 4 * REACH) + REACH) * PER_UNIT - 0.5;
    const b = Math.trunc(Math.min(Math.max(place, 0), BINS - 2)), at = c * BINS + b;
    const outside = place < 0 ? 0 : place > BINS - 1 ? 2 : -1;
    const [low, high] = outside < 0 ? [curves[at], curves[at + 1]] : DATA.edges[c].slice(outside);
    return low + (place - b) * (high - low) + DATA.shift[c];
  });
}

// How far each label is above those that it implies, and below those that imply it.
function contradictions(z) {
  const above = z.map(() => 0), below = z.map(() => 0);
  for (const [c, other] of DATA.implied) {
    const gap = Math.max(z[other] - z[c], -4);
    above[c] = Math.min(above[c], gap);
    below[other] = Math.max(below[other], -gap);
  }
  return [above, below];
}

function decide(p) {
  const first = p.indexOf(Math.max(...p));
  if (DATA.single) return p.map((_, c) => c === first);
  const second = Math.max(...p.filter((_, c) => c !== first)), [a, b, d, e] = [...DATA.competition, 0, 0];
  const [above, below] = contradictions(p.map(value => logit(value, 1e-12)));
  const thresholds = DATA.thresholds.map((t, c) => {
    if (!DATA.competition.some(Boolean)) return t;
    const other = C < 2 ? 0 : c === first ? second : p[first];
    return sigmoid(logit(t, 1e-12) - (a + b * Math.log1p(-Math.min(other, 0.95)) + d * above[c] + e * below[c]));
  });
  const given = p.map((value, c) => value > thresholds[c]), number = given.filter(Boolean).length;
  if (DATA.alone || !((DATA.alwaysOne && number === 0) || (DATA.atMostOne && number > 1))) return given;
  const near = p.map((value, c) => logit(value, TINY) - logit(thresholds[c], TINY) - (value <= sigmoid(DATA.usual[c]) ? 1000 : 0));
  const best = near.indexOf(Math.max(...near));
  return p.map((_, c) => c === best);
}

// The probabilities of labels of which each document has exactly one.
function shares(z, [a, b]) {
  const softplus = x => Math.max(x, 0) + Math.log1p(Math.exp(-Math.abs(x)));
  const u = z.map(x => b * softplus(x) - a * softplus(-x)), most = Math.max(...u);
  const w = u.map(x => Math.exp(x - most)), sum = w.reduce((x, y) => x + y, 0);
  return w.map(x => x / sum);
}

// Return {labels, probabilities, terms}: names of the labels, the probability of every label, and the known terms.
function classify(document) {
  const row = weights(document);
  const z = logOdds(row), isEmpty = row.every(([, x]) => x === 0);
  const p = DATA.single ? shares(z, isEmpty ? [1, 0] : DATA.powers) : z.map(sigmoid);
  const given = decide(p);
  return {
    labels: DATA.labels.filter((_, c) => given[c]),
    probabilities: Object.fromEntries(DATA.labels.map((label, c) => [label, p[c]])),
    terms: row.length,
  };
}

const bayesift = {classify, labels: DATA.labels, stem, words};
if (typeof module !== "undefined" && module.exports) module.exports = bayesift;
else root.bayesift = bayesift;
})(typeof globalThis === "undefined" ? this : globalThis);
