// Keys, judging without a page load, and changes as they happen. Without this script every page works by links and forms.
'use strict';
const $ = (selector, root = document) => root.querySelector(selector), work = $('#work');
const MOVES = {next: 'j', previous: 'k', undo: 'u', why: 'e', open: 'o', search: '/', help: '?'};
const RAYYAN = {...MOVES, next: 'ArrowDown', previous: 'ArrowUp', undo: 'z', why: 'w'};
const SETS = { // by kind of workspace: presets, and the names of the actions
  filter: [{
    bayesift: {...MOVES, relevant: 'a', irrelevant: 'x', skip: ' '},
    'as in ASReview': {...MOVES, relevant: 'r', irrelevant: 'i', skip: ' '},
    'as in Rayyan': {...RAYYAN, relevant: 'i', irrelevant: 'e', skip: 'u'},
  }, {next: 'Next document', previous: 'Previous document', relevant: 'Relevant', irrelevant: 'Not relevant',
    skip: 'Skip', undo: 'Undo (also Backspace)', why: 'Why', open: 'Open the source', search: 'Search', help: 'Show the keys'}],
  screening: [{
    bayesift: {...MOVES, include: 'a', exclude: 'x', maybe: 'm', note: 'n', tags: 't', criteria: 'c'},
    'as in ASReview': {...MOVES, include: 'r', exclude: 'i', maybe: 'm', note: 'n', tags: 't', criteria: 'c'},
    'as in Rayyan': {...RAYYAN, include: 'i', exclude: 'e', maybe: 'u', note: 'n', tags: 't', criteria: 'c'},
  }, {include: 'Include', exclude: 'Exclude', maybe: 'Maybe', note: 'Write a note (Esc leaves it)', tags: 'Write tags (Esc leaves them)',
    criteria: 'Show or hide the criteria', next: 'Look at the next record', previous: 'Look at the previous record',
    undo: 'Undo (also Backspace)', why: 'Why', open: 'Open the source', search: 'Search', help: 'Show the keys'}],
};
const SET = document.body.dataset.keys, [PRESETS, NAMES] = SETS[SET], STORED = `keys ${SET}`;
const shown = key => ({' ': 'space', ArrowDown: '↓', ArrowUp: '↑'})[key] || key;

function remembered() {
  try {
    const saved = JSON.parse(localStorage.getItem(STORED) || '{}');
    return {preset: saved.preset in PRESETS ? saved.preset : 'bayesift', own: saved.own || {}};
  } catch { return {preset: 'bayesift', own: {}}; }
}
let choice = remembered();
const keys = () => ({...PRESETS[choice.preset], ...choice.own});
function remember() {
  try { localStorage.setItem(STORED, JSON.stringify(choice)); } catch { /* a browser that keeps nothing */ }
  inDialog.hidden = true;
  showKeys();
}

function showKeys() {
  const current = keys(), dialog = $('#keys');
  document.querySelectorAll('button[data-key], a[data-key]').forEach(button => {
    const key = current[button.dataset.key];
    let hint = $('kbd', button);
    if (!hint) { hint = document.createElement('kbd'); button.append(' ', hint); }
    hint.textContent = shown(key);
    button.setAttribute('aria-keyshortcuts', key === ' ' ? 'Space' : key);
  });
  document.querySelectorAll('[data-hint]').forEach(hint => { hint.textContent = shown(current[hint.dataset.hint]); });
  const select = $('#preset', dialog);
  select.replaceChildren(...Object.keys(PRESETS).map(name => new Option(name, name, false, name === choice.preset)));
  const rows = Object.entries(NAMES).map(([action, name]) => {
    const row = document.createElement('tr'), key = document.createElement('td'), what = document.createElement('td');
    const button = document.createElement('button');
    button.type = 'button'; button.textContent = shown(current[action]); button.dataset.change = action;
    button.setAttribute('aria-label', `${name}: ${shown(current[action])}. Change`);
    key.append(button); what.textContent = name; row.append(key, what);
    return row;
  });
  const body = $('tbody', dialog);
  keepFocus(body, () => body.replaceChildren(...rows));
}

const ALIKE = ['data-key', 'data-reason', 'data-change', 'href', 'value', 'name']; // the first one says what an element means
function held(root, before = () => {}) { // returns what gives the focus back to the element that means the same; `before`, if it was lost
  const element = document.activeElement, name = ALIKE.find(name => element.hasAttribute(name));
  if (!root.contains(element)) return before;
  if (root === work && !element.matches(':focus-visible')) return () => {}; // it was clicked: space would press it again
  const alike = () => name ? [...root.querySelectorAll(`[${name}="${CSS.escape(element.getAttribute(name))}"]`)] : [];
  const place = alike().indexOf(element);
  return () => (alike()[place] || alike()[0] || $('.reading .body', root) || $('#main')).focus({preventScroll: true});
}
function keepFocus(root, change, before) {
  const back = held(root, before);
  change();
  if (document.activeElement === document.body) back();
  return back;
}

const inDialog = document.createElement('p'); // what lies outside an open dialog is dimmed and not read aloud
inDialog.className = 'message'; inDialog.hidden = true; inDialog.setAttribute('role', 'alert');
$('#keys .close').prepend(inDialog); // which is always in sight
function say(text, wrong = false) {
  const dialog = $('#keys').open, box = dialog ? inDialog : $('#said');
  box.textContent = text; box.classList.toggle('wrong', wrong); box.classList.add('shown');
  inDialog.hidden = !dialog;
  if (dialog) return;
  clearTimeout(say.timer); say.timer = setTimeout(() => box.classList.remove('shown'), wrong ? 8000 : 2500);
}

// Notes and tags that are written but not stored, by person, list and document, for as long as the tab is open.
const draftOf = article => `draft ${$('.who span')?.textContent || ''} ${$('.judge', article)?.getAttribute('action')} ${article.dataset.document}`;
const isChanged = field => field.value !== field.defaultValue;
function keepDraft(article, fields) {
  const draft = JSON.stringify(fields.map(field => [field.name, field.value]));
  try {
    if (fields.length) sessionStorage.setItem(draftOf(article), draft); else sessionStorage.removeItem(draftOf(article));
  } catch { /* a browser that keeps nothing */ }
}
function showDraft() {
  const article = $('.reading');
  try {
    const fields = article ? JSON.parse(sessionStorage.getItem(draftOf(article)) || '[]') : [];
    for (const [name, value] of fields) $(`textarea[name="${name}"]`, article).value = value;
  } catch { /* a browser that keeps nothing */ }
}

// The inbox: one request at a time, in the order of the keys. What waits behind a request that fails is dropped.
let line = Promise.resolve(), failures = 0;
function inLine(task, failed = error => say(error.message, true)) {
  const before = failures;
  line = line.then(() => failures === before && task()).catch(error => { failures += 1; failed(error); });
}
async function ask(address, options = {}, lost = '') {
  let answer, text;
  try {
    answer = await fetch(address, {...options, headers: {Accept: 'text/html', 'X-Fragment': '1'}});
    text = await answer.text();
  } catch { throw new Error('the service does not answer. Try again.'); }
  if (answer.status === 401) { logIn(lost); throw new Error('log in again.'); }
  if (!answer.ok) throw new Error($('main p', new DOMParser().parseFromString(text, 'text/html'))?.textContent || `error ${answer.status}.`);
  if (answer.redirected) history.replaceState(null, '', answer.url);
  return text;
}
function logIn(lost) { // and come back to the document whose answer was not stored
  const here = new URL(location);
  if (lost) here.searchParams.set('at', lost);
  location.assign(`/login?${lost ? 'lost=1&' : ''}to=${encodeURIComponent(here.pathname + here.search)}`);
}
function turn(change, before) { // to another document, which is announced to those who hear the page
  const old = $('.reading')?.dataset.document, back = keepFocus(work, () => { change(); showKeys(); }, before);
  if ($('.reading')?.dataset.document !== old) $('#now').textContent = $('.reading h2, .empty').textContent.trim();
  return back;
}
const queued = (root = document) => [...root.querySelectorAll('.queue li[data-document]')];
const put = (html, before) => turn(() => fill(html), before);
function fill(html) {
  const before = queued().map(li => li.dataset.document), open = $('.why')?.open, old = $('.reading'), field = document.activeElement;
  const written = old && [...old.querySelectorAll('textarea')].some(text => text === field || isChanged(text));
  work.innerHTML = html; // rendered and escaped by the server
  if (written && old.dataset.document === $('.reading')?.dataset.document) { // a note that is being written stays
    $('.reading').replaceWith(old);
    if (old.contains(field)) field.focus();
  } else showDraft();
  const after = queued().filter(li => before.includes(li.dataset.document)), ids = after.map(li => li.dataset.document);
  const was = before.filter(id => ids.includes(id)); // places among those that are still listed: nobody moves because one has left
  after.forEach((li, i) => { if (was[i] !== ids[i]) li.classList.add(was.indexOf(ids[i]) > i ? 'up' : 'down'); });
  if (open && $('.why')) $('.why').open = true;
}
function judge(button) { // the next document is shown at once; if the answer cannot be stored, this one comes back
  const form = button.form, body = new FormData(form, button), spare = $('#next'), reading = $('.reading'), done = button.dataset.done;
  const refocus = turn(() => {
    if (spare) { reading.replaceWith(spare.content.cloneNode(true)); spare.remove(); showDraft(); scrollTo(0, 0); } else disable(form, true);
  });
  const restore = () => turn(() => {
    disable(form, false);
    if ($('.reading') !== reading) { $('.reading')?.replaceWith(reading); scrollTo(0, 0); }
    if (spare && !$('#next')) reading.after(spare);
  }, refocus);
  inLine(async () => {
    const html = await ask(form.action, {method: 'POST', body}, reading.dataset.document);
    keepDraft(reading, []); put(html, refocus); say(done);
  }, error => {
    const back = () => { // but not while the next note is being written: its letters would be taken for keys
      if (document.activeElement.matches('.reading textarea')) work.addEventListener('focusout', () => setTimeout(back), {once: true});
      else restore();
      say(`Not stored: ${error.message}`, true);
    };
    back();
  });
}
const disable = (form, is) => [...form.elements].forEach(element => { element.disabled = is; });
function undo() {
  const form = $('form[action$="/undo"]');
  if (form && !work) form.requestSubmit();
  else if (form) inLine(async () => {
    put(await ask(form.action, {method: 'POST', body: new FormData(form)})); say('Undone.');
  }, error => say(`Not undone: ${error.message}`, true));
}
let steps = 0, moves = 0; // places still to go; moves that are not done
function move(step) {
  if (!work) { placeAt(step)?.focus(); return; }
  steps += step; moves += 1;
  inLine(async () => {
    const to = steps && placeAt(steps);
    steps = 0;
    if (!to) return;
    put(await ask(to.href)); history.replaceState(null, '', to.href); $('.queue [aria-current]')?.scrollIntoView({block: 'nearest'});
  }, error => say(`Not shown: ${error.message}`, true));
  line = line.finally(() => { moves -= 1; if (!moves) steps = 0; });
}
function placeAt(step) {
  const all = [...document.querySelectorAll('.queue li[data-document] a, .rows .what > a')];
  const at = all.findIndex(a => a.closest('[aria-current]') || a === document.activeElement);
  return all[Math.min(Math.max(at + step, 0), all.length - 1)];
}

const ACTIONS = {
  next: () => move(1), previous: () => move(-1), undo,
  criteria: () => { const box = $('#criteria'); if (box) box.open = !box.open; },
  why: () => { const why = $('.why'); if (why) { why.open = !why.open; if (why.open) why.scrollIntoView({block: 'nearest'}); } },
  open: () => { const url = $('.reading')?.dataset.url; if (url) window.open(url, '_blank', 'noopener,noreferrer'); else say('This document has no source address.'); },
  search: () => { $('#find').focus(); $('#find').select(); },
  help: () => $('#keys').showModal(),
};
function press(selector) { // after the moves before it, so that it means the document that they lead to
  const now = () => { const found = $(`.reading ${selector}`); if (found?.matches('textarea')) found.focus(); else found?.click(); };
  if (moves) inLine(now); else now();
}
const REASONS = SET === 'screening' ? /^[1-9]$/ : /^$/; // keys that exclude with a reason
let changing = null;
document.addEventListener('keydown', event => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
  if (!$('#keys').open) changing = null; // its event `close` comes a moment after it is closed
  if (changing) {
    event.preventDefault();
    if (event.key === 'Shift') return; // the character follows
    const taken = Object.entries(keys()).find(([action, key]) => key === event.key && action !== changing);
    if (event.key.length !== 1) say('Keys are single characters.', true);
    else if (REASONS.test(event.key)) say('Digits are reasons for exclusion.', true);
    else if (taken) say(`${shown(event.key)} is already: ${NAMES[taken[0]]}.`, true);
    else { choice.own[changing] = event.key; remember(); }
    changing = null; showKeys();
    return;
  }
  if (event.target.closest('input, textarea, select, dialog[open]')) {
    if (event.key === 'Escape') event.target.blur();
    return;
  }
  if (REASONS.test(event.key)) { press(`[data-reason="${event.key}"]`); return; }
  const found = event.key === 'Backspace' ? 'undo' : Object.entries(keys()).find(([, key]) => key === event.key)?.[0];
  if (!found || (event.key === ' ' && event.target.closest('button, a, summary'))) return;
  event.preventDefault();
  (ACTIONS[found] || (() => press(`[data-key="${found}"]`)))();
});
document.addEventListener('click', event => {
  const change = event.target.closest('[data-change]');
  if (change) { changing = change.dataset.change; change.textContent = 'press a key'; return; }
  if (event.target.closest('button[data-key=help]')) ACTIONS.help();
});
document.addEventListener('change', event => {
  if (event.target.id === 'preset') { choice = {preset: event.target.value, own: {}}; remember(); }
});
$('#keys').addEventListener('close', () => { changing = null; inDialog.hidden = true; showKeys(); });
if (work) work.addEventListener('input', event => { if (event.target.matches('.reading textarea')) keepDraft($('.reading'), [...$('.reading').querySelectorAll('textarea')].filter(isChanged)); });
if (work) work.addEventListener('submit', event => {
  if (event.target.method !== 'post') return;
  event.preventDefault();
  if (event.target.matches('.judge')) judge(event.submitter); else undo();
});

// What arrives meanwhile is counted, not pushed under the reader's eyes; a page with nothing to read shows it at once.
const listening = work || (['topics', 'progress'].includes(document.body.dataset.page) ? $('#main') : null);
const address = work ? work.dataset.changes : '/changes';
if (listening && address && window.EventSource) {
  let changes = null, arrived = 0, soon = null;
  const renew = async () => {
    soon = null;
    if (document.activeElement?.closest('main :is(input, textarea)')) return;
    const answer = await fetch(location.href, {headers: work ? {'X-Fragment': '1'} : {}});
    if (!answer.ok) return;
    const text = await answer.text(), fresh = new DOMParser().parseFromString(text, 'text/html');
    if (!work) keepFocus(listening, () => { listening.innerHTML = $('#main', fresh).innerHTML; });
    else if (!$('.reading')) put(text);
    else {
      const here = queued().map(li => li.dataset.document);
      count(Math.max(arrived, queued(fresh).filter(li => !here.includes(li.dataset.document)).length));
    }
  };
  const later = () => { soon ??= setTimeout(() => renew().catch(() => {}), 800); };
  const count = all => { arrived = all; if (all) $('#counts').setAttribute('data-new', `· ${all} new`); };
  const listen = () => { // a hidden page does not: a browser has few connections for all its tabs
    changes?.close();
    changes = null;
    if (document.hidden) return;
    changes = new EventSource(address);
    changes.addEventListener('decided', () => { if (!work) later(); });
    changes.addEventListener('shown', () => { if (work && $('.reading')) count(arrived + 1); else later(); });
  };
  document.addEventListener('visibilitychange', () => { listen(); if (changes) later(); });
  addEventListener('pagehide', () => changes?.close());
  listen();
}
if (work) showDraft();
showKeys();
