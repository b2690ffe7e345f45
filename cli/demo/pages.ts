/** The demo shop's pages as HTML. What is sold is seats.ts. */
import { escapeHtml } from "../escape-html.ts";
import { QUANTITY_MAX } from "./seats.ts";
import type { Order, Tier } from "./seats.ts";
import { STYLE } from "./style.ts";

/** What the gate told the origin about a request; shown so that one can see it work. */
export interface GateHeaders {
  readonly room: string | null;
  readonly visit: string | null;
  readonly signed: boolean;
}

const page = (title: string, main: string): string => `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="color-scheme" content="light dark"><title>${title} · Night Train</title>
<link rel="icon" href="/art/poster.svg"><style>${STYLE}</style></head>
<body><header><a class="name" href="/">Night Train</a><nav><a href="/tickets">Tickets</a></nav></header>
<main>${main}</main>
<footer>A demo shop. Nothing here can be bought, and nothing is stored.</footer></body></html>`;

const gatePanel = (gate: GateHeaders, visitsLastMinute: number): string => `
<aside class="gate" aria-label="What the waiting room told this server"><h2>Seen by this server</h2><dl>
<div><dt>Room</dt><dd>${gate.room === null ? "none" : escapeHtml(gate.room)}</dd></div>
<div><dt>Visit</dt><dd>${gate.visit === null ? "none" : escapeHtml(gate.visit)}</dd></div>
<div><dt>Signature</dt><dd>${gate.signed ? "present" : "none"}</dd></div>
<div><dt>Visits in the last minute</dt><dd>${visitsLastMinute}</dd></div></dl></aside>`;

export const homePage = (gate: GateHeaders, visitsLastMinute: number): string =>
  page(
    "One night only",
    `<section class="hero"><img src="/art/poster.svg" width="800" height="450" alt="A night train crossing a bridge under the stars">
<div><p class="eyebrow">One night only</p><h1>Night Train, live at the Harbour Hall</h1>
<p>Four musicians, one locomotive, and the longest encore of the year. Tickets are on sale now.</p>
<p><a class="button" href="/tickets">Get tickets</a></p></div></section>
<section class="about"><h2>What you are looking at</h2><p>This page is a small shop that runs behind Seiriken. It is not protected; <a href="/tickets">the ticket page</a> is, and lets in only a few at a time. To see a line form, run</p>
<pre><code>npm run crowd -- --visitors 200 --room shop</code></pre><p>in another terminal and open the tickets while it runs.</p></section>
${gatePanel(gate, visitsLastMinute)}`,
  );

const tierCard = (
  tier: Tier,
  index: number,
): string => `<label class="tier"><input type="radio" name="tier" value="${tier.id}"${index === 0 ? " checked" : ""}${tier.left === 0 ? " disabled" : ""}>
<span class="tier-name">${tier.name}</span><span class="tier-about">${tier.about}</span>
<span class="tier-price">€${tier.priceEuro}</span><span class="tier-left"><span data-left="${tier.id}">${tier.left.toLocaleString("en")}</span> left</span></label>`;

export const ticketsPage = (
  tiers: readonly Tier[],
  gate: GateHeaders,
  visitsLastMinute: number,
  problem: string | null,
): string =>
  page(
    "Tickets",
    `<section class="order"><p class="eyebrow">Harbour Hall · doors 19:00</p><h1>Choose your seats</h1>
${problem === null ? "" : `<p class="problem" role="alert">${escapeHtml(problem)}</p>`}
<form method="post" action="/checkout"><fieldset><legend>Where</legend>${tiers.map(tierCard).join("")}</fieldset>
<fieldset class="how-many"><legend>How many</legend>${Array.from({ length: QUANTITY_MAX }, (_, index) => `<label><input type="radio" name="quantity" value="${index + 1}"${index === 1 ? " checked" : ""}><span>${index + 1}</span></label>`).join("")}</fieldset>
<button>Buy now</button></form><p class="quiet" id="live">You are in. Seats are held while you choose.</p></section>
${gatePanel(gate, visitsLastMinute)}<script>${LIVE_SCRIPT}</script>`,
  );

export const thanksPage = (order: Order, gate: GateHeaders, visitsLastMinute: number): string =>
  page(
    "Thank you",
    `<section class="order"><p class="eyebrow">Order ${escapeHtml(order.id)}</p><h1>Thank you, see you there</h1>
<div class="stub"><span>${order.quantity} ×</span><strong>${order.tier.name}</strong><span>€${order.quantity * order.tier.priceEuro}</span></div>
<p>Your place on this site goes to the next person in line in 30 seconds; this server asked for that with one header.</p>
<pre><code>Seiriken-Command: release; after=30</code></pre><p><a class="button" href="/">Back to the start</a></p></section>
${gatePanel(gate, visitsLastMinute)}`,
  );

export const notFoundPage = (): string =>
  page(
    "Not found",
    `<section class="order"><h1>There is no such page</h1><p><a class="button" href="/">To the start</a></p></section>`,
  );

/** Shows that JSON and WebSockets come through the gate with the same pass. */
const LIVE_SCRIPT = `
(function () {
  var line = document.getElementById("live");
  function seats() {
    fetch("/api/seats", { headers: { accept: "application/json" } }).then(function (r) { return r.ok ? r.json() : null; }).then(function (body) {
      if (!body || !body.tiers) return;
      body.tiers.forEach(function (tier) {
        var left = document.querySelector('[data-left="' + tier.id + '"]');
        if (left) left.textContent = tier.left.toLocaleString("en");
      });
    }).catch(function () {});
  }
  setInterval(function () { if (!document.hidden) seats(); }, 10000);
  var sentAt = 0;
  var socket = new WebSocket(location.origin.replace(/^http/, "ws") + "/live");
  socket.onopen = function () { sentAt = performance.now(); socket.send("hello"); };
  socket.onmessage = function () {
    line.textContent = "You are in. The live connection answers in " + Math.max(1, Math.round(performance.now() - sentAt)) + " ms.";
  };
})();`;
