// Keys, judging without a page load, and changes as they happen. Without this script every page works by links and forms.
'use strict';
const $ = (selector, root = document) => root.querySelector(selector);
const PRESETS = {
  bayesift: {next: 'j', previous: 'k', relevant: 'a', irrelevant: 'x', skip: ' ', undo: 'u', why: 'e', open: 'o', search: '/', help: '?'},
  'as in ASReview': {next: 'j', previous: 'k', relevant: 'r', irrelevant: 'x', skip: ' ', undo: 'u', why: 'e', open: 'o', search: '/', help: '?'},
  'as in Rayyan': {next: 'j', previous: 'k', relevant: 'a', irrelevant: 'e', skip: 'u', undo: 'z', why: 'w', open: 'o', search: '/', help: '?'},
};
const NAMES = {next: 'Next document', previous: 'Previous document', relevant: 'Relevant', irrelevant: 'Not relevant',
  skip: 'Skip', undo: 'Undo (also Backspace)', why: 'Why', open: 'Open the source', search: 'Search', help: 'Show the keys'};
const shown = key => key === ' ' ? 'space' : key;

function remembered() {
  try {
    const saved = JSON.parse(localStorage.getItem('keys') || '{}');
    return {preset: saved.preset in PRESETS ? saved.preset : 'bayesift', own: saved.own || {}};
  } catch { return {preset: 'bayesift', own: {}}; }
}
let choice = remembered();
const keys = () => ({...PRESETS[choice.preset], ...choice.own});
function remember() {
  try { localStorage.setItem('keys', JSON.stringify(choice)); } catch { /* a browser that keeps nothing */ }
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
  const select = $('#preset', dialog);
  select.replaceChildren(...Object.keys(PRESETS).map(name => new Option(name, name, false, name === choice.preset)));
  $('tbody', dialog).replaceChildren(...Object.entries(NAMES).map(([action, name]) => {
    const row = document.createElement('tr'), key = document.createElement('td'), what = document.createElement('td');
    const button = document.createElement('button');
    button.type = 'button'; button.textContent = shown(current[action]); button.dataset.change = action;
    button.setAttribute('aria-label', `${name}: ${shown(current[action])}. Change`);
    key.append(button); what.textContent = name; row.append(key, what);
    return row;
  }));
}

function say(text, wrong = false) {
  const box = $('#said');
  box.textContent = text; box.classList.toggle('wrong', wrong); box.classList.add('shown');
  clearTimeout(say.timer); say.timer = setTimeout(() => box.classList.remove('shown'), wrong ? 8000 : 2500);
}

// The inbox: one request at a time, in the order of the keys.
const work = $('#work');
let line = Promise.resolve();
async function send(address, body) {
  const answer = await fetch(address, {method: 'POST', body, headers: {Accept: 'text/html', 'X-Fragment': '1'}, redirect: 'follow'});
  const text = await answer.text();
  if (answer.status === 401) { location.assign('/login'); throw new Error('Log in again.'); }
  if (!answer.ok) throw new Error($('main p', new DOMParser().parseFromString(text, 'text/html'))?.textContent || `Error ${answer.status}`);
  return text;
}
function places() { return new Map([...document.querySelectorAll('.queue li[data-document]')].map((li, i) => [li.dataset.document, i])); }
function put(html) {
  const before = places(), open = $('.why')?.open;
  work.innerHTML = html; // rendered and escaped by the server
  document.querySelectorAll('.queue li[data-document]').forEach((li, i) => {
    const was = before.get(li.dataset.document);
    if (was === undefined || was === i) return;
    li.classList.add(was > i ? 'up' : 'down');
  });
  if (open) $('.why').open = true;
  showKeys();
}
function judge(button) {
  const form = button.closest('form'), body = new FormData(form, button), spare = $('#next'), reading = $('.reading');
  if (spare) { reading.replaceWith(spare.content.cloneNode(true)); spare.remove(); showKeys(); scrollTo(0, 0); }
  else form.querySelectorAll('button').forEach(b => { b.disabled = true; });
  const done = {yes: 'Relevant: learned.', no: 'Not relevant: learned.', skip: 'Skipped.'}[button.value];
  line = line.then(() => send(form.action, body)).then(html => { put(html); say(done); })
    .catch(error => { say(`${error.message} Nothing was lost; the page is loaded again.`, true); setTimeout(() => location.reload(), 2500); });
}
function undo() {
  const form = $('form[action$="/undo"]');
  if (form) line = line.then(() => send(form.action, new FormData(form))).then(html => { put(html); say('Undone.'); }).catch(error => say(error.message, true));
}
function move(step) {
  const all = [...document.querySelectorAll('.queue li[data-document] a, .rows .what > a')];
  const at = all.findIndex(a => a.closest('[aria-current]') || a === document.activeElement);
  const to = all[Math.min(Math.max(at + step, 0), all.length - 1)];
  if (!to) return;
  if (!work) { to.focus(); return; }
  fetch(to.href, {headers: {'X-Fragment': '1'}}).then(a => a.ok ? a.text() : Promise.reject(new Error(`Error ${a.status}`)))
    .then(html => { put(html); history.replaceState(null, '', to.href); $('.queue [aria-current]')?.scrollIntoView({block: 'nearest'}); })
    .catch(error => say(error.message, true));
}

const ACTIONS = {
  next: () => move(1), previous: () => move(-1), undo,
  relevant: () => $('.reading button[data-key=relevant]')?.click(),
  irrelevant: () => $('.reading button[data-key=irrelevant]')?.click(),
  skip: () => $('.reading button[data-key=skip]')?.click(),
  why: () => { const why = $('.why'); if (why) { why.open = !why.open; if (why.open) why.scrollIntoView({block: 'nearest'}); } },
  open: () => { const url = $('.reading')?.dataset.url; if (url) window.open(url, '_blank', 'noopener,noreferrer'); else say('This document has no source address.'); },
  search: () => { $('#find').focus(); $('#find').select(); },
  help: () => $('#keys').showModal(),
};
let changing = null;
document.addEventListener('keydown', event => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
  if (changing) {
    event.preventDefault();
    const taken = Object.entries(keys()).find(([action, key]) => key === event.key && action !== changing);
    if (event.key.length !== 1) say('Keys are single characters.', true);
    else if (taken) say(`${shown(event.key)} is already: ${NAMES[taken[0]]}.`, true);
    else { choice.own[changing] = event.key; remember(); }
    changing = null; showKeys();
    return;
  }
  if (event.target.closest('input, textarea, select, dialog[open]')) {
    if (event.key === 'Escape') event.target.blur();
    return;
  }
  const found = event.key === 'Backspace' ? 'undo' : Object.entries(keys()).find(([, key]) => key === event.key)?.[0];
  if (!found || (event.key === ' ' && event.target.closest('button, a, summary'))) return;
  event.preventDefault();
  ACTIONS[found]();
});
document.addEventListener('click', event => {
  const change = event.target.closest('[data-change]');
  if (change) { changing = change.dataset.change; change.textContent = 'press a key'; return; }
  if (event.target.closest('button[data-key=help]')) ACTIONS.help();
});
document.addEventListener('change', event => {
  if (event.target.id === 'preset') { choice = {preset: event.target.value, own: {}}; remember(); }
});
if (work) work.addEventListener('submit', event => {
  event.preventDefault();
  if (event.target.matches('.judge')) judge(event.submitter); else undo();
});

// What arrives meanwhile is counted, not pushed under the reader's eyes; a page with nothing to read shows it at once.
const listening = work || (document.body.dataset.page === 'topics' ? $('#main') : null);
if (listening && window.EventSource) {
  const changes = new EventSource(work ? work.dataset.changes : '/changes');
  let arrived = 0, soon = null;
  const renew = async () => {
    soon = null;
    if (document.activeElement?.closest('input, textarea')) return;
    const answer = await fetch(location.href, {headers: work ? {'X-Fragment': '1'} : {}});
    if (!answer.ok) return;
    const text = await answer.text();
    if (work) put(text); else listening.innerHTML = $('#main', new DOMParser().parseFromString(text, 'text/html')).innerHTML;
  };
  changes.addEventListener('shown', () => {
    arrived += 1;
    if (work && $('.reading')) $('#counts').setAttribute('data-new', `· ${arrived} new`);
    else soon ??= setTimeout(() => renew().catch(() => {}), 800);
  });
  addEventListener('pagehide', () => changes.close());
}
showKeys();
