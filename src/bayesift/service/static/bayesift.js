// Keys, judging without a page load, and changes as they happen. Without this script every page works by links and forms.
'use strict';
const $ = (selector, root = document) => root.querySelector(selector);
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
  if (answer.redirected) history.replaceState(null, '', answer.url);
  if (answer.status === 401) { location.assign('/login'); throw new Error('Log in again.'); }
  if (!answer.ok) throw new Error($('main p', new DOMParser().parseFromString(text, 'text/html'))?.textContent || `Error ${answer.status}`);
  return text;
}
const queued = () => [...document.querySelectorAll('.queue li[data-document]')];
function put(html) {
  const before = queued().map(li => li.dataset.document), open = $('.why')?.open, old = $('.reading'), field = document.activeElement;
  const written = old && [...old.querySelectorAll('textarea')].some(text => text === field || text.value !== text.defaultValue);
  work.innerHTML = html; // rendered and escaped by the server
  if (written && old.dataset.document === $('.reading')?.dataset.document) { // a note that is being written stays
    $('.reading').replaceWith(old);
    if (old.contains(field)) field.focus();
  }
  const after = queued().filter(li => before.includes(li.dataset.document)), ids = after.map(li => li.dataset.document);
  const was = before.filter(id => ids.includes(id)); // places among those that are still listed: nobody moves because one has left
  after.forEach((li, i) => { if (was[i] !== ids[i]) li.classList.add(was.indexOf(ids[i]) > i ? 'up' : 'down'); });
  if (open) $('.why').open = true;
  showKeys();
}
function judge(button) {
  const form = button.form, body = new FormData(form, button), spare = $('#next'), reading = $('.reading');
  if (spare) { reading.replaceWith(spare.content.cloneNode(true)); spare.remove(); showKeys(); scrollTo(0, 0); }
  else [...form.elements].forEach(e => { e.disabled = true; });
  const done = button.dataset.done;
  line = line.then(() => send(form.action, body)).then(html => { put(html); say(done); })
    .catch(error => { say(`${error.message} Nothing was lost; the page is loaded again.`, true); setTimeout(() => location.reload(), 2500); });
}
function undo() {
  const form = $('form[action$="/undo"]');
  if (form && !work) form.requestSubmit();
  else if (form) line = line.then(() => send(form.action, new FormData(form))).then(html => { put(html); say('Undone.'); }).catch(error => say(error.message, true));
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
  criteria: () => { const box = $('#criteria'); if (box) box.open = !box.open; },
  why: () => { const why = $('.why'); if (why) { why.open = !why.open; if (why.open) why.scrollIntoView({block: 'nearest'}); } },
  open: () => { const url = $('.reading')?.dataset.url; if (url) window.open(url, '_blank', 'noopener,noreferrer'); else say('This document has no source address.'); },
  search: () => { $('#find').focus(); $('#find').select(); },
  help: () => $('#keys').showModal(),
};
const press = name => { const found = $(`.reading [data-key="${name}"]`); if (found?.matches('textarea')) found.focus(); else found?.click(); };
let changing = null;
document.addEventListener('keydown', event => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
  if (changing) {
    event.preventDefault();
    const taken = Object.entries(keys()).find(([action, key]) => key === event.key && action !== changing);
    if (event.key.length !== 1) say('Keys are single characters.', true);
    else if (/[1-9]/.test(event.key)) say('Digits are reasons for exclusion.', true);
    else if (taken) say(`${shown(event.key)} is already: ${NAMES[taken[0]]}.`, true);
    else { choice.own[changing] = event.key; remember(); }
    changing = null; showKeys();
    return;
  }
  if (event.target.closest('input, textarea, select, dialog[open]')) {
    if (event.key === 'Escape') event.target.blur();
    return;
  }
  if (/^[1-9]$/.test(event.key)) { $(`.reading [data-reason="${event.key}"]`)?.click(); return; }
  const found = event.key === 'Backspace' ? 'undo' : Object.entries(keys()).find(([, key]) => key === event.key)?.[0];
  if (!found || (event.key === ' ' && event.target.closest('button, a, summary'))) return;
  event.preventDefault();
  (ACTIONS[found] || (() => press(found)))();
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
  if (event.target.method !== 'post') return;
  event.preventDefault();
  if (event.target.matches('.judge')) judge(event.submitter); else undo();
});

// What arrives meanwhile is counted, not pushed under the reader's eyes; a page with nothing to read shows it at once.
const listening = work || (['topics', 'progress'].includes(document.body.dataset.page) ? $('#main') : null);
const address = work ? work.dataset.changes : '/changes';
if (listening && address && window.EventSource) {
  const changes = new EventSource(address);
  let arrived = 0, soon = null;
  const renew = async () => {
    soon = null;
    if (document.activeElement?.closest('input, textarea')) return;
    const answer = await fetch(location.href, {headers: work ? {'X-Fragment': '1'} : {}});
    if (!answer.ok) return;
    const text = await answer.text();
    if (work) put(text); else listening.innerHTML = $('#main', new DOMParser().parseFromString(text, 'text/html')).innerHTML;
  };
  changes.addEventListener('decided', () => { if (!work) soon ??= setTimeout(() => renew().catch(() => {}), 800); });
  changes.addEventListener('shown', () => {
    arrived += 1;
    if (work && $('.reading')) $('#counts').setAttribute('data-new', `· ${arrived} new`);
    else soon ??= setTimeout(() => renew().catch(() => {}), 800);
  });
  addEventListener('pagehide', () => changes.close());
}
showKeys();
