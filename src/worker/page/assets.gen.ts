// Made by scripts/build-page.ts from static/queue. Edit there, then build again.

import type { Catalogs } from "../../page/words.ts";

export const template =
  '<!doctype html>\n<html lang="{{lang}}" dir="{{dir}}">\n<head>\n<meta charset="utf-8">\n<meta name="viewport" content="width=device-width,initial-scale=1">\n<meta name="robots" content="noindex">\n<meta name="color-scheme" content="light dark">\n<meta name="theme-color" content="{{themeLight}}" media="(prefers-color-scheme:light)">\n<meta name="theme-color" content="{{themeDark}}" media="(prefers-color-scheme:dark)">\n<title>{{view.title}}</title>\n<link rel="icon" href="{{icon}}">\n{{#refresh}}{{^reloads}}<noscript>{{/reloads}}<meta http-equiv="refresh" content="{{refresh}};url={{to}}">{{^reloads}}</noscript>{{/reloads}}{{/refresh}}\n<style nonce="{{nonce}}">{{{palette}}}{{{css}}}</style>\n</head>\n<body data-phase="{{view.phase}}"{{#paused}} data-paused{{/paused}}{{#view.number}} data-ticket{{/view.number}}>\n<header>\n{{#logo}}<img src="{{logo}}" alt="">{{/logo}}\n<p dir="auto">{{name}}</p>\n</header>\n<main>\n<div class="top">\n<h1 id="headline" tabindex="-1">{{view.headline}}</h1>\n<dl class="facts">\n<div><dt>{{s.ahead}}</dt><dd id="ahead">{{view.ahead}}</dd></div>\n<div><dt>{{s.wait}}</dt><dd id="wait">{{view.wait}}</dd><dd id="why">{{view.why}}</dd></div>\n</dl>\n<ul id="notices">{{#view.notices}}<li>{{.}}</li>{{/view.notices}}</ul>\n<div class="slot">\n<div class="ticket">\n<p class="band">{{s.number}}</p>\n<p class="face"><svg id="face" viewBox="0 0 {{width}} 76"><text id="number" x="50%" y="74" text-anchor="middle" textLength="{{width}}" lengthAdjust="spacingAndGlyphs">{{view.number}}</text></svg></p>\n<div class="rest">\n<p class="tear"></p>\n<p class="stub"><span id="taken">{{view.taken}}</span><span>{{s.reference}}</span></p>\n</div>\n</div>\n</div>\n<div class="say">\n<p id="lead"{{#closed}} dir="auto"{{/closed}}>{{view.lead}}</p>\n<p class="act">\n<a class="button" id="go" href="{{to}}">{{s.goIn}}</a>\n<button class="button" id="again" type="button">{{view.again}}</button>\n</p>\n<section class="message" id="messageBox"{{^view.message}} hidden{{/view.message}}>\n<h2>{{s.message}}</h2>\n<p id="message" dir="auto">{{view.message}}</p>\n</section>\n</div>\n</div>\n{{#reloads}}<section class="scriptless"><p>{{s.reloads}}</p><p><a class="button" href="{{to}}">{{s.checkNow}}</a></p></section>{{/reloads}}\n{{^reloads}}<noscript><section class="scriptless"><p>{{s.scriptless}}{{#scriptlessTaking}} {{scriptlessTaking}}{{/scriptlessTaking}}</p><p><a class="button" href="{{to}}">{{s.checkNow}}</a></p></section></noscript>{{/reloads}}\n{{#drawn}}<div hidden>{{/drawn}}<figure class="line"{{^view.ahead}} hidden{{/view.ahead}}>\n<svg id="line" width="100%" height="92" role="img" aria-label="{{s.line}}">\n<defs>\n<path id="person" d="M11 0a5.5 5.5 0 0 1 0 11a5.5 5.5 0 0 1 0-11M2.5 36v-11a8.5 8.5 0 0 1 17 0v11a1.5 1.5 0 0 1-1.5 1.5h-14a1.5 1.5 0 0 1-1.5-1.5"/>\n<pattern id="before" width="26" height="38" patternUnits="userSpaceOnUse"><use href="#person" x="2"/></pattern>\n<pattern id="behind" width="26" height="38" patternUnits="userSpaceOnUse"><use href="#person" x="2"/></pattern>\n</defs>\n<path class="floor" d="M0 82.5H4000"/>\n<svg x="46" y="43" width="4000" height="39">\n<g class="crowd" transform="translate({{x}})">\n<rect id="crowdBefore" fill="url(#before)" x="-15600" width="15600" height="38"/>\n<rect id="crowdBehind" fill="url(#behind)" x="26" width="{{behind}}" height="38"/>\n</g>\n</svg>\n<path class="door" d="M3 82V40a18 18 0 0 1 36 0v42"/>\n<g class="crowd" transform="translate({{x}})">\n<g transform="translate(48 43)" class="you"><use href="#person"/><g transform="translate(11 -14)"><text text-anchor="middle">{{s.you}}</text></g></g>\n</g>\n</svg>\n<figcaption><span id="progress">{{view.progress}}</span> <span id="figures"></span> <span id="heard">{{view.heard}}</span></figcaption>\n</figure>{{#drawn}}</div>{{/drawn}}\n<section class="holds">\n<h2>{{s.holds}}</h2>\n<ul>\n<li><b>{{spans.returnWindow}}</b> <span>{{s.holdsReturn}}</span></li>\n{{^reloads}}\n<li><b>{{spans.claimWithin}}</b> <span>{{s.holdsClaim}}</span></li>\n<li><b>{{spans.session}}</b> <span>{{s.holdsSession}}</span></li>\n{{/reloads}}\n</ul>\n</section>\n<section class="choices scripted">\n<button id="sound" type="button" aria-pressed="false">{{s.sound}}</button>\n<button id="notify" type="button" aria-pressed="false">{{s.notify}}</button>\n<button id="takeIn" type="button" aria-pressed="false" aria-describedby="takeInHint">{{s.takeIn}}</button>\n<p id="takeInHint">{{s.takeInHint}}</p>\n<button id="giveUp" type="button" aria-expanded="false" aria-controls="giveUpBox">{{s.giveUp}}</button>\n<div id="giveUpBox" hidden><p id="giveUpAsk"></p><button class="button" id="giveUpNo" type="button">{{s.giveUpNo}}</button><button id="giveUpYes" type="button">{{s.giveUpYes}}</button></div>\n</section>\n<p id="status" class="unseen" role="status"></p>\n<p id="alert" class="unseen" role="alert"></p>\n</main>\n{{^reloads}}\n<script type="application/json" id="boot">{{{boot}}}</script>\n<script nonce="{{nonce}}" data-to="{{to}}" id="watchdog">{{{watchdog}}}</script>\n<script nonce="{{nonce}}">{{{script}}}</script>\n{{/reloads}}\n</body>\n</html>\n';

export const errorTemplate =
  '<!doctype html>\n<html lang="{{lang}}" dir="{{dir}}">\n<head>\n<meta charset="utf-8">\n<meta name="viewport" content="width=device-width,initial-scale=1">\n<meta name="robots" content="noindex">\n<meta name="color-scheme" content="light dark">\n<meta name="theme-color" content="{{themeLight}}" media="(prefers-color-scheme:light)">\n<meta name="theme-color" content="{{themeDark}}" media="(prefers-color-scheme:dark)">\n<title>{{title}} · {{name}}</title>\n<link rel="icon" href="{{icon}}">\n<style>{{{palette}}}{{{css}}}{{{errorCss}}}</style>\n</head>\n<body data-phase="error" data-ticket>\n<header>\n{{#logo}}<img src="{{logo}}" alt="">{{/logo}}\n<p dir="auto">{{name}}</p>\n</header>\n<main>\n<div class="top">\n<h1 id="headline">{{title}}</h1>\n<div class="slot">\n<div class="ticket">\n<p class="band">{{t.reference}}</p>\n<p class="face"><b class="reference">{{reference}}</b></p>\n<div class="rest">\n<p class="tear"></p>\n<p class="stub"><span>{{t.tell}}</span></p>\n</div>\n</div>\n</div>\n<div class="say">\n<p id="lead">{{detail}}{{#byItself}} {{byItself}}{{/byItself}}</p>\n{{#way}}<p class="act"><a class="button" href="{{to}}">{{label}}</a></p>{{/way}}\n</div>\n</div>\n</main>\n</body>\n</html>\n';

export const errorCss =
  "[data-phase=error] .act>*{display:inline-block}[data-phase=error] .face{display:block;padding:2.5rem 1rem}.reference{font-size:1.75rem;font-size:min(2.5rem,8.5vw);line-height:1.2;letter-spacing:.06em;font-variant-numeric:tabular-nums lining-nums;-webkit-user-select:all;-moz-user-select:all;user-select:all}";

export const css =
  '*{box-sizing:border-box;margin:0;padding:0}html{background:var(--bg);color:var(--ink);font:400 1.0625rem/1.55 Helvetica Neue,Segoe UI,Roboto,Noto Sans,Liberation Sans,Hiragino Sans,Hiragino Kaku Gothic ProN,Yu Gothic UI,Meiryo,Noto Sans JP,Noto Sans CJK JP,system-ui,sans-serif;-webkit-text-size-adjust:100%;text-size-adjust:100%;overflow-wrap:break-word}:lang(ja){line-break:strict;word-break:auto-phrase}body{max-width:64rem;min-height:100vh;margin:0 auto;padding:.75rem 1rem 3rem;padding:min(.75rem,4vw) min(1rem,5vw) 3rem}ul{list-style:none}b,h1,h2,dd{font-weight:650}[hidden],.unseen:not(:focus),html:not(.scripts) .scripted{display:none}.unseen:not(:focus){display:block;position:absolute;width:1px;height:1px;overflow:hidden;clip:rect(0 0 0 0);white-space:nowrap}header{display:flex;align-items:center;padding:.25rem 0 .75rem;font-weight:650;line-height:1.3}header p{min-width:0}header img{max-width:9rem;max-height:2.5rem;margin-inline-end:.75rem}#notices:empty{display:none}#notices li{margin:.25rem 0 .5rem;padding:.75rem 1rem;border:1px solid var(--rule);border-radius:.5rem;background:var(--paper)}h1{font-size:1.75rem;font-size:min(1.2rem + 2vw,2.5rem,12vw);line-height:1.2;letter-spacing:-.015em;text-wrap:balance;outline:0}h1,dt{-webkit-hyphens:auto;hyphens:auto;hyphenate-limit-chars:12 5 5}h2{font-size:.9375rem;color:var(--soft)}#lead{margin-top:.25rem;max-width:34rem;color:var(--soft);white-space:pre-line;text-wrap:pretty}.top{display:grid;grid-template-columns:100%;grid-gap:.75rem}.slot{position:relative;width:100%;max-width:25rem;margin:.5rem auto -1rem;padding:5px 1rem 2.25rem;overflow:hidden}.slot:before{content:"";position:absolute;z-index:1;top:0;left:0;right:0;height:10px;border-radius:5px;background:var(--slot)}.ticket{text-align:center;filter:drop-shadow(0 1px 1px rgba(0,0,0,.18)) drop-shadow(0 8px 14px rgba(0,0,0,.12))}.band{padding:.9rem .5rem .55rem;background:var(--accent);color:var(--on);font-size:1.2rem;font-weight:700;line-height:1.4}.face{margin-top:-1px;padding:1.3rem 1.35rem 1.25rem;background:var(--paper)}#face{display:block;width:100%;height:5.5rem;overflow:visible;fill:currentColor;font-family:DIN Alternate,Bahnschrift,Helvetica Neue,Segoe UI,Roboto,Noto Sans,Liberation Sans,system-ui,sans-serif;font-size:100px;font-weight:700;font-variant-numeric:tabular-nums lining-nums}.tear{position:relative;height:18px;margin:-1px 0;background:radial-gradient(circle at 0 50%,transparent 8.5px,var(--paper) 9px) 0 0/51% 100% no-repeat,radial-gradient(circle at 100% 50%,transparent 8.5px,var(--paper) 9px) 100% 0/51% 100% no-repeat}.tear:before{content:"";position:absolute;top:8px;left:16px;right:16px;border-top:2px dotted var(--rule)}.rest:after{content:"";display:block;height:7px;margin-top:-1px;background:radial-gradient(circle at 50% 100%,transparent 4.5px,var(--paper) 5px) 50% 0/14px 7px}.stub{display:flex;flex-wrap:wrap;justify-content:space-between;padding:.4rem 1rem .8rem;background:var(--paper);color:var(--soft);font-size:.875rem;font-variant-numeric:tabular-nums}.stub span:empty{display:none}.stub span{flex:auto;padding:0 .35rem}.facts{display:flex;flex-wrap:wrap}.facts div{flex:1 0 auto;max-width:100%;padding:0 0 .35rem;padding-inline-end:1.5rem;padding-inline-end:min(1.5rem,5vw)}.facts div+div{flex:6 1 9.5rem;padding-inline-end:0}dt{color:var(--soft);line-height:1.3}#wait{min-height:1.2em}#why{font-weight:400;font-size:1rem;line-height:1.4;letter-spacing:0;color:var(--soft)}dd{font-size:1.625rem;font-size:min(1.625rem,12vw);line-height:1.2;font-variant-numeric:tabular-nums;letter-spacing:-.015em;text-wrap:balance}.line{margin:1.75rem 0 0}.line svg{display:block;overflow:hidden}[dir=rtl] #line,[dir=rtl] #line text{transform:scaleX(-1)}#before use{fill:var(--ink);opacity:.5}#behind use{fill:var(--ink);opacity:.17}.you{fill:var(--accent)}.you text{fill:var(--ink);font-size:.875rem;font-weight:650}.door{fill:var(--paper);stroke:var(--tint);stroke-width:3}.floor{stroke:var(--rule)}.moves .crowd,.moves .ticket,.moves .rest{transition:transform .9s cubic-bezier(.3,.7,.2,1)}figcaption span:not(:empty){display:inline-block;margin-inline-end:1em}figcaption{margin-top:.6rem;color:var(--soft);font-size:.9375rem;font-variant-numeric:tabular-nums}.holds,.choices,.scriptless{margin-top:2.5rem;padding-top:1.75rem;border-top:1px solid var(--rule)}.scriptless .button{margin-top:1rem}.message{margin-top:1.5rem;max-width:36rem}[dir=rtl] #message{text-align:right}.message p{white-space:pre-line}.holds ul{display:grid;grid-template-columns:repeat(auto-fit,minmax(12rem,1fr));grid-template-columns:repeat(auto-fit,minmax(min(12rem,100%),1fr));grid-gap:1.25rem 2rem;margin-top:.8rem}.holds b{display:block;font-size:1.25rem}.holds span{color:var(--soft)}button,.button{display:inline-block;max-width:100%;min-height:2.75rem;margin:.25rem 0;margin-inline-end:.75rem;padding:.55rem 1rem;border:1px solid var(--soft);border-radius:.5rem;background:none;color:var(--ink);font:inherit;line-height:1.4;text-decoration:none;overflow-wrap:anywhere;cursor:pointer}button:hover{background:var(--paper)}.button,.button:hover{border-color:var(--accent);background:var(--accent);color:var(--on);font-size:1.2rem;font-weight:700}button[aria-pressed=true]{border-color:var(--tint);box-shadow:inset 0 0 0 1px var(--tint);color:var(--tint);font-weight:650}button[aria-pressed=true]:before{content:"\\2713  "}:focus-visible{outline:3px solid var(--tint);outline-offset:3px}.act>*{margin-top:1.25rem}#giveUp{padding-left:0;padding-right:0;border-color:transparent;color:var(--soft);text-decoration:underline;text-underline-offset:.2em}#giveUpBox{margin-top:1rem}#takeInHint,#giveUpBox p{max-width:36rem;margin-bottom:.5rem}.act>*,[data-phase=taking] #giveUp,[data-phase=taking] #takeIn,[aria-pressed=false]+#takeInHint,body:not([data-ticket]):not([data-phase=taking]) .slot,[data-phase=cookies] .slot{display:none}body:not([data-ticket]):not([data-phase=taking]) .top,[data-phase=cookies] .top{display:block}body:not([data-phase=waiting]):not([data-phase=taking]) .slot{order:1}[data-phase=called] #go,[data-phase=entering] #go,[data-phase=elsewhere] #go,.scripts [data-phase=ended] #again,.scripts [data-phase=given-up] #again,.scripts [data-phase=closed] #again,.scripts [data-phase=cookies] #again{display:inline-block}body:not([data-phase=waiting]) .line,body:not([data-phase=waiting]):not([data-phase=taking]) .facts,body:not([data-phase=waiting]):not([data-phase=taking]) .holds,body:not([data-phase=waiting]):not([data-phase=taking]) .choices{display:none}[data-phase=called] .face,[data-phase=entering] .face{background:var(--accent);color:var(--on)}[data-phase=ended] .ticket,[data-phase=given-up] .ticket{--accent: var(--rule);--on: var(--ink);color:var(--soft)}[data-phase=ended] .rest,[data-phase=given-up] .rest{transform:translateY(.6rem) rotate(2.5deg)}[data-phase=taking] .facts{visibility:hidden}[data-phase=taking] .ticket{transform:translateY(-62%)}[data-paused] .door{fill:var(--tint)}@media(min-width:44rem),(min-width:34rem)and (max-height:28rem){.top{grid-template-columns:minmax(0,2fr) minmax(0,3fr);grid-template-rows:1fr auto auto auto auto 1fr;grid-gap:0 2rem}.top>*{grid-column:2}.slot{grid-area:1 / 1 / span 6;margin-top:0;padding-left:.6rem;padding-right:.6rem}h1{grid-row:2}.facts{grid-row:3;margin:.75rem 0 .65rem}#notices{grid-row:4}.say{grid-row:5}dd{font-size:min(1.625rem,6vw)}}@media(min-width:44rem){body{padding:2rem 5vw 4rem;padding:2rem min(2.5rem,5vw) 4rem}header{padding-bottom:2rem}.top{grid-template-columns:minmax(0,1fr) minmax(0,1fr)}.band{padding:1.1rem .5rem .7rem}.face{padding:2rem 1.5rem 1.9rem}#face{height:6.5rem}.facts{margin:1.25rem 0 1.1rem}dd{font-size:min(1.75rem,5vw)}}@media(min-width:60rem){.top{grid-template-columns:minmax(0,9fr) minmax(0,11fr);grid-gap:0 3.5rem}.slot{padding-left:1rem;padding-right:1rem}dd{font-size:min(2.125rem,4vw)}}@media(prefers-reduced-motion:reduce){.moves .crowd,.moves .ticket,.moves .rest{transition:none}}@media(prefers-contrast:more){:root{--soft: var(--ink);--rule: var(--ink)}}@media(forced-colors:active){.ticket{border:2px solid CanvasText;filter:none}.rest{transform:none!important}#giveUp{border:0}.slot:before{background:CanvasText;forced-color-adjust:none}#before use,#behind use,.you text{fill:CanvasText}.you{fill:Highlight}.door{fill:Canvas;stroke:CanvasText}.floor{stroke:CanvasText}}@media print{:root{--bg: #fff;--paper: #fff;--ink: #000;--soft: #333;--rule: #999;--accent: #fff;--on: #000;--tint: #000}.ticket{border:1px solid #000;filter:none}.you{fill:#000}.choices,.scriptless,.act{display:none}}';

export const watchdog =
  '(function(){var t=document.getElementById("watchdog").getAttribute("data-to");setTimeout(function(){/\\bscripts\\b/.test(document.documentElement.className)||location.replace(t)},2e4)})();';

export const bellWorker =
  'let last=self.registration.active?Promise.resolve():new Promise(t=>self.addEventListener("activate",t));self.addEventListener("message",t=>{const{text:i,body:o,tag:n,here:s,to:a}=t.data,{registration:e}=self,r={body:o,tag:n,renotify:!0,requireInteraction:!0,data:{here:s,to:a}},c=()=>i?e.showNotification(i,Object.assign(r,{vibrate:[200,100,200]})):e.getNotifications({tag:n}).then(l=>l.forEach(f=>f.close()));t.waitUntil(last=last.then(c,c))}),self.addEventListener("notificationclick",t=>{const{here:i}=t.notification.data,o=new URL(t.notification.data.to,i).href,n=()=>self.clients.openWindow(o);t.notification.close(),t.waitUntil(self.clients.matchAll({type:"window",includeUncontrolled:!0}).then(s=>{const a=s.find(({url:e})=>e===i)||s.find(({url:e})=>e===o);return a?a.focus().catch(n):n()}))});';

export const script =
  '"use strict";(()=>{var e={number:null,state:"none",ahead:null},t=({ticket:t})=>t||e,n=({takesIn:e})=>!1===e?"waitingLeadCalls":"waitingLead",a=({claimBy:e},t,n)=>null===e?n.say("calledLead",{span:n.span(t.claimWithin)}):n.say("calledLeadBy",{time:n.time(e,!0)}),i=({closed:e,ticket:t},n,a)=>{const i=e||"";if(null===t||null===t.number)return i;const o=a.span(n.returnWindow),s=a.say("closedKept",{number:a.number(t.number),span:o});return""===i?s:`${i}\\n\\n${s}`},o={busy:"busy","line-full":"lineFull","too-many-joins":"tooManyJoins",unavailable:"lost"},s={ended:"takeNew","given-up":"takeNew",closed:"checkAgain",cookies:"tryAgain"},r=(e,t,n,a)=>{const i=[];if(null!==t.lost&&(e=>"called"!==e&&"entering"!==e&&"elsewhere"!==e)(e)&&i.push((({ago:e,at:t,endedAt:n},a)=>null===n?e:a.fill(t,{time:a.time(n)}))(t.lost,a)),t.formLost&&i.push(a.say("formLost")),null!==t.missedAt&&null!==t.ticket&&"away"!==t.ticket.state){const e=a.number(t.ticket.number||0);i.push(a.say("missed",{time:a.time(t.missedAt),number:e}))}return null!==t.problem&&i.push(a.say(o[t.problem])),"offline"!==t.link&&"lost"!==t.link||(i.push(a.say(t.link)),null===t.ticket||null===t.heardAt)||i.push(a.say("keptUntil",{time:a.time(t.heardAt+1e3*n.returnWindow)})),i},l=(e,t,n,a)=>"waiting"===e&&"away"!==t.state&&t.ahead?a.say("titleAhead",{n:t.ahead}):n,c={hour:"numeric",minute:"2-digit"},u={hour:"numeric",minute:"2-digit",second:"2-digit"},d=e=>{let t;return()=>void 0===t?t=e():t},k=(e,t)=>{const n=Number(e.headers.get("Retry-After"));return t.retry_after_ms||(n>0?1e3*n:5e3)},g=[659.3,880],h=e=>{g.forEach((t,n)=>{const a=e.currentTime+.22*n,i=e.createOscillator(),o=e.createGain();i.frequency.value=t,o.gain.setValueAtTime(1e-4,a),o.gain.exponentialRampToValueAtTime(.25,a+.02),o.gain.exponentialRampToValueAtTime(1e-4,a+.5),i.connect(o).connect(e.destination),i.start(a),i.stop(a+.5)})},w=(e,t)=>e.setAttribute("aria-pressed",t+""),m={take:["POST","/tickets"],ask:["GET","/tickets/mine"],claim:["POST","/visits"],giveUp:["DELETE","/tickets/mine"],look:["GET","/visits/mine"]},p=1e3,f=e=>{const t=Math.round(e*(.85+.3*Math.random()));return 5e3===t?t+37:t},y=(e,t)=>{const n=Math.max(t,Math.min(6e4,t*2**Math.min(e,10)));return Math.round(0===e?Math.random()*n:(.5+Math.random()/2)*n)},b=e=>Math.max(2e3,(e||0)/4e4*p),v=0,M=()=>{let e,t=0;const n=()=>{t++,window.clearTimeout(e)};return{t:n,set(a,i){n();const o=t,s=Date.now()+a;e=window.setTimeout(()=>{v=Math.max(0,Date.now()-s),(e=>{const{port1:t,port2:n}=new MessageChannel;t.onmessage=e,n.postMessage(0)})(()=>{o===t&&i()})},a)}}},D=[4400,4401,4403,4410,4429],S=[4401,4410],A=(e,t)=>{try{return JSON.parse(window[e].getItem(t)||"null")}catch(e){return null}},O=(e,t,n)=>{try{return window[e].setItem(t,JSON.stringify(n)),!0}catch(e){return!1}},U=e=>document.getElementById(e),j=(e,t)=>{t?document.body.setAttribute(e,""):document.body.removeAttribute(e)},I=()=>"visible"===document.visibilityState,N=[0,1,2,3,5,10,20,50,100,200,500,1e3,2e3,5e3,1e4],B=["ended","given-up","closed","cookies"],L=e=>{for(const t of N)if(e<=t)return t;return 1e4*Math.ceil(e/1e4)},$=JSON.parse(U("boot").textContent||""),x=((e,t)=>{const n=d(()=>new Intl.NumberFormat(e)),a=d(()=>"function"==typeof Intl.PluralRules?new Intl.PluralRules(e):null),i=(e,t={})=>("string"==typeof e?e:e[(e=>{const t=a();return null===t?1===e?"one":"other":t.select(e)})(Number(t.n))]||e.other||"").replace(/\\{(\\w+)\\}/g,(e,a)=>{const i=t[a];return"number"==typeof i?n().format(i):i||""}),o=(e,n)=>i(t[e],n);return{fill:i,say:o,span:e=>{const[t,n,a]=e>=7200?["hours","minutes",3600]:["minutes","seconds",60];if(e<120)return o("seconds",{n:Math.round(e)});const i=Math.floor(e/a),s=Math.floor(e%a/(a/60)),r=o(t,{n:i});return 0===s?r:o("spans",{a:r,b:o(n,{n:s})})},wait:e=>{var t,n,a,i;if(!e||!e.known)return o(e&&"long"===e.reason?"waitLong":"waitUnknown");const s=Math.max(0,null!=(n=null!=(t=e.low)?t:e.seconds)?n:0),r=Math.max(s,null!=(i=null!=(a=e.high)?a:e.seconds)?i:0);if(r<50)return o("waitSoon");const l=r>=5400,c=l?1800:r>=1800?300:60,u=l?3600:60,d=Math.floor(s/c)*c/u,k=Math.ceil(r/c)*c/u,g=o(l?"hours":"minutes",{n:k});return 0===d?o("waitUpTo",{span:g}):d===k?o("waitAbout",{span:g}):o(l?"hoursRange":"minutesRange",{low:d,high:k})},number:e=>n().format(e),percent:t=>new Intl.NumberFormat(e,{style:"percent",maximumFractionDigits:0}).format(t),time:(t,n=!1)=>new Intl.DateTimeFormat(e,n?u:c).format(t)}})($.locale,$.words),T=(e=>{const t=`seiriken:${e}:way`,n=`seiriken:${e}:in`,a=`seiriken:${e}:reloads`,i=`seiriken:${e}:wait`,o=e=>{const t=A("localStorage",i);return null!==t&&t.number===e?t:{}};return{i:o,o(e,t){O("localStorage",i,Object.assign({},o(e),t,{number:e}))},l(e){const{claimBy:t}=o(e);return t&&t-2e3<=Date.now()?t:null},u(e,n){const a=A("localStorage",t);if(null!==a&&a.number===e&&a.startAhead>=n)return a;const i={number:e,startAhead:n,takenAt:null!==a&&a.number===e?a.takenAt:Date.now()};return O("localStorage",t,i),i},k(){const e=A("sessionStorage",n);O("sessionStorage",n,{at:Date.now(),count:e?e.count:0})},h(){const e=A("sessionStorage",n);if(null===e)return!1;const t=Date.now()-e.at<5e3?e.count+1:0;return O("sessionStorage",n,{at:0,count:t>=3?0:t}),t>=3},m(){const e=A("sessionStorage",a)||0;return O("sessionStorage",a,e+1)?Math.min(3e5,8e3*2**Math.min(e,10)):6e4},p(){A("sessionStorage",a)&&O("sessionStorage",a,0)}}})($.roomId),W=((e,t,n)=>{let a=-6e4,i=null,o=null,s=!1,r=null,l="";return{v(t,c){const u=l!==t.phase;if(l=t.phase,B.indexOf(l)>=0)return void(u&&(e.textContent=c));const d=(e=>{const{ticket:t}=e,a=t&&t.ahead,l=[],c="lost"===e.link||"offline"===e.link;return c&&!s&&l.push(n.say(e.link)),s&&!c&&l.push(n.say("saidBack")),null!==e.message&&e.message!==r&&l.push(e.message),null===t||"waiting"!==e.phase||(t.number!==o&&l.push(n.say("saidTicket",{number:n.number(t.number||0)})),null!==a&&(null===i||L(a)<i)&&(l.push(n.say("saidAhead",{n:a})),t.eta&&t.eta.known&&l.push(n.say("saidWait",{wait:n.wait(t.eta)})))),l})(t);0===d.length||Date.now()-a<6e4||(a=Date.now(),e.textContent=d.join(" "),s="lost"===t.link||"offline"===t.link,r=t.message,null!==t.ticket&&"waiting"===t.phase&&(o=t.ticket.number,i=L(t.ticket.ahead||0)))},alert(e){t.textContent!==e&&(t.textContent=e)}}})(U("status"),U("alert"),x),C=(e=>{const{sound:t,notify:n,note:a}=e,i=window.AudioContext||window.webkitAudioContext,o="Notification"in window&&"serviceWorker"in navigator,s=()=>o&&"granted"===Notification.permission;let r=null,l=!1,c=!1;const u=e=>{c=e,w(n,e),e&&d({})},d=t=>{c&&navigator.serviceWorker.register(e.worker).then(e=>{const{active:n,waiting:i,installing:o}=e;(n||i||o).postMessage(Object.assign({},a,t))},()=>u(!1))};return t.hidden=void 0===i,t.onclick=()=>{l=!l,w(t,l),l&&void 0!==i&&(r=r||new i,r.resume(),h(r))},n.hidden=!o||"denied"===Notification.permission,n.onclick=()=>{if(c)return e.wish(!1),u(!1);Promise.resolve(Notification.requestPermission()).then(()=>{e.wish(s()),u(s())})},{M(){l&&null!==r&&h(r)},D:e=>d({text:e}),S:()=>d({}),A(){!c&&s()&&u(!0)}}})({sound:U("sound"),notify:U("notify"),worker:$.bell,note:{body:$.name,tag:$.roomId,here:location.href,to:$.to},wish:e=>T.o(_(F),{notifies:e})}),E=(e=>{const t=e.querySelectorAll(".crowd"),n=e.querySelector("#crowdBehind");return{draw:({ticket:a,startAhead:i,waiting:o})=>{const s=a&&a.ahead||0,r=e.getBoundingClientRect().width-46,l=Math.max(3,Math.floor(.78*r/26)-1),c=Math.max(1,Math.max(i||0,s)/l),u=s/c*26;for(let e=0;e<t.length;e++)t[e].style.transform=`translate(${u}px)`;return n.setAttribute("width",26*Math.min(Math.ceil(Math.max(0,(o||0)-s-1)/c),150)+""),(d=c)<1.5?1:d<10?Math.round(d):Number(d.toPrecision(2));var d}}})(U("line")),J=M(),P=M(),R=M(),G=M(),z=document.documentElement,F=$.state,_=({ticket:e})=>e&&e.number,K=!1,V=!1,Y=!1,q=()=>{const e=E.draw(F);U("figures").textContent=e>1?x.say("figures",{n:e}):""},H=()=>{z.classList.remove("moves"),q(),R.set(50,()=>z.classList.add("moves"))},Q=()=>{const e=((e,o,c,u,d=!0)=>{const k=d||("called"!==e.phase||e.asks)&&"entering"!==e.phase?e.phase:"elsewhere",[g,h]=((e,o,s,r)=>{const l=r.number(t(o).number||0);switch(e){case"waiting":return((e,a)=>{const i=t(e),o=e.paused?"paused":"away"===i.state?"away":0===i.ahead?"next":"waiting";return[a.say(o),a.say("waiting"===o?n(e):o+"Lead")]})(o,r);case"called":return((e,t,n)=>[n.say("called"),a(e,t,n)])(o,s,r);case"ended":return[r.say("ended"),r.say("endedLead",{number:l})];case"given-up":return[r.say("givenUp"),r.say("givenUpLead",{number:l})];case"closed":return[r.say("closed"),i(o,s,r)];case"taking":return o.paused?[r.say("paused"),r.say("pausedTaking")]:[r.say("taking"),r.say("takingLead")];case"entering":case"elsewhere":case"cookies":return[r.say(e),r.say(e+"Lead")];default:return e}})(k,e,o,u),w=t(e),{ahead:m,number:p,eta:f}=w,y=e.drawn?w.among:m,b=s[k],v=e.startAhead||0,M=null===m||v<=0?0:Math.max(0,v-m)/v;return{phase:k,paused:e.paused,headline:g,lead:h,title:`${l(k,w,g,u)} · ${c}`,number:null===p?"":u.number(p),ahead:null==y?"":u.say("aheadValue",{n:y}),wait:e.paused?u.say("waitUnknown"):u.wait(f),why:e.paused||!f||"no-ends"!==f.reason?"":u.say("waitNoEnds"),progress:M<.01?"":u.say("progress",{share:u.percent(M)}),taken:null===e.takenAt?"":u.say("taken",{time:u.time(e.takenAt)}),heard:null===e.heardAt?"":u.say("heard",{time:u.time(e.heardAt)}),O:r(k,e,o,u),message:e.message||"",again:void 0===b?"":u.say(b)}})(F,$.spans,$.name,x,!V&&!K);var o;(e=>{document.body.setAttribute("data-phase",e.phase),j("data-paused",e.paused),j("data-ticket",""!==e.number),Object.keys(e).forEach(t=>{const n=e[t];"string"==typeof n&&null!==U(t)&&((e,t)=>{const n=U(e);n.textContent!==t&&(n.textContent=t)})(t,n)}),(e=>{const t=(e=>{const t=e.replace(/[\\s.,\'’٬]/g,"").length;return 57*Math.max(1,t)+27*(e.length-t)})(e)+"";U("face").setAttribute("viewBox",`0 0 ${t} 76`),U("number").setAttribute("textLength",t)})(e.number),U("messageBox").hidden=""===e.message,U("line").parentElement.hidden=""===e.ahead,(e=>{const t=U("notices");t.textContent!==e.join("")&&(t.textContent="",e.forEach(e=>{t.appendChild(document.createElement("li")).textContent=e}))})(e.O)})(e),o=F.asks?((e,t)=>{if(null===t)return"● "+e;const n=Math.max(0,Math.ceil((t-Date.now())/1e3));return`${n%2==0?"●":"○"} ${Math.floor(n/60)}:${("0"+n%60).slice(-2)} ${e}`})(e.title,F.claimBy):e.title,document.title!==o&&(document.title=o),U("takeIn").setAttribute("aria-pressed",(!0===F.takesIn)+""),q(),W.v(F,e.headline),"called"!==e.phase&&"elsewhere"!==e.phase||W.alert(e.headline)},X=e=>G.set(p,()=>{F.asks&&!V&&(Q(),e%10==0&&C.M(),ne.look(),X(e+1))}),Z=e=>{const t=F;F=Object.assign({},F,e),Q(),T.i(_(F)).notifies&&C.A(),(e=>{const{phase:t,asks:n,ticket:a}=F;"called"===t&&"called"!==e.phase&&C.M(),n&&!e.asks&&(C.D(x.say("called")),X(1)),e.asks&&!n&&(I()?C.S():"entering"===t?C.D(x.say("entering")):null!==a&&"away"===a.state&&C.D(x.say("away")))})(t),ae.D()},ee=()=>{F.formLost?location.replace($.to):location.reload()},te=()=>{const e=location.pathname+location.search;""===location.hash||e!==$.to||F.formLost?location.replace($.to):location.reload()},ne=(e=>{const{boot:t,api:n,memory:a,state:i,update:o}=e,s=M();let r=!1,l=0,c=0,u=0,d=!1,k=null;const g=((e,t)=>{const n=location.origin.replace(/^http/,"ws")+e+"/socket",a=M(),i=M();let o=null,s=!1,r=0,l=0;const c=e=>{const n=o;if(o=null,i.t(),null!==n&&(n.onopen=n.onmessage=n.onclose=null,n.close()),!s)return;const r=D.indexOf(e)<0?y(l++,t.U()):12e4;a.set(r,d),t.down(e)},u=()=>i.set(f(3e4),()=>{if(Date.now()-r>65e3)return c(1006);null!==o&&o.readyState===WebSocket.OPEN&&o.send("ping"),u()}),d=()=>{a.t(),r=Date.now();try{o=new WebSocket(n)}catch(e){return c(1006)}o.onopen=()=>null!==o&&o.send("ping"),o.onmessage=e=>(e=>{if(r=Date.now(),"string"!=typeof e||"pong"===e)return;let n;try{n=JSON.parse(e)}catch(e){return}"ready?"!==n.type?(l=0,t.message(n)):null!==o&&o.send(\'{"type":"ready"}\')})(e.data),o.onclose=e=>c(e.code),u()};return{open(){s||(s=!0,d())},close(){s=!1,a.t(),c(1e3)},wake(){s&&!(()=>{if(null===o)return!1;const e=Date.now()-r;return o.readyState===WebSocket.CONNECTING?e<1e4:o.readyState===WebSocket.OPEN&&e<35e3})()&&(l=0,s=!1,c(1e3),s=!0,d())}}})(t.api,{U:()=>b(i().waiting),down:e=>{if("live"===i().link&&o({link:"polling"}),"closed"===i().phase)return g.close();if(h())return g.close();if("waiting"!==i().phase)return;const t=S.indexOf(e)<0?b(i().waiting):p;s.set(Math.random()*t+200,()=>N("ask"))},message:e=>{"live"!==i().link&&o({link:"live"}),"message"===e.type?o({message:e.text||null}):"paused"===e.type?o({paused:e.paused}):"closed"===e.type?j(e.text):"reload"===e.type||!1===e.closed&&"closed"===i().phase?s.set(2e3+Math.random()*b(i().waiting),U):"waiting"!==i().phase&&"called"!==i().phase||("position"===e.type?(A(e),"away"!==e.state||h()||N("ask")):"called"===e.type&&A({state:"called",ahead:0,claim_by:e.claim_by||null}))}}),h=()=>{const{phase:t,ticket:n,takesIn:a}=i();return"waiting"===t&&null!==n&&"away"===n.state&&!a&&!e.isShown()},w=()=>{if(h())return c=0,s.t();const{link:e,ticket:n}=i();s.set(Math.max(p,f(("live"===e?t.spans.returnWindow/4:n&&n.poll_after_seconds||5)*p)-(Date.now()-c)),()=>N("ask"))},A=t=>{const s=i().ticket,r=Object.assign({},s,t);if(null==r.number)return N("take");if("visiting"===r.state)return e.j();const l=r.ahead||0,c=a.u(r.number,l),u=null!==s&&(s.ahead||0)>l,d="called"===r.state,m=d&&r.claim_by?n.I(r.claim_by):null;null!==m&&a.o(r.number,{claimBy:m}),"called"!==i().phase&&(k=null),o({ticket:r,phase:d?"called":"waiting",claimBy:m,asks:d&&!e.isShown(),takesIn:!0===a.i(r.number).takesIn,missedAt:d?null:a.l(r.number),startAhead:c.startAhead,takenAt:c.takenAt,heardAt:Date.now(),waiting:void 0===t.waiting?i().waiting:t.waiting,paused:i().paused&&!u&&!d,problem:null}),h()||g.open(),d?O():w()},O=()=>{if(d)return;const n=Date.now(),{claimBy:a,takesIn:r,asks:l}=i(),c=e.isShown(),u=((e,t)=>{const{isShown:n,takesIn:a,claimBy:i,N:o,B:s,L:r}=e;return n||a?Math.max(t,n||null!==s||null===i?s||0:i-(Math.min(2e4,o/2)+r)):null})({isShown:c,takesIn:!0===r,claimBy:a,N:t.spans.claimWithin*p,B:k,L:v},n);return l===c&&o({asks:!c}),null!==u?u<=n?N("claim"):s.set(u-n,O):null===a?s.set(p,()=>N("ask")):void s.set(a+1500-n,()=>A({state:"away",claim_by:null}))},U=()=>{if(e.isShown())return e.$();o({phase:"taking"}),N("take")},j=e=>{s.t(),o({phase:"closed",closed:e||i().closed,problem:null})},I=(e,t)=>{if("claim"!==e)return s.set(t,()=>N(e));k=Date.now()+t,O()},N=t=>{s.t(),c=Date.now(),d="claim"===t;const h=++u,[w,p]=m[t];n.ask(w,p).then(n=>{h===u&&r&&(d=!1,"json"===n.kind&&a.p(),((t,n)=>{const a="unreachable"===n.kind||"reload"===n.kind;switch(a?o({link:!1===navigator.onLine?"offline":"lost"}):"lost"!==i().link&&"offline"!==i().link||o({link:"polling"}),a||"refused"===n.kind||(l=0),n.kind){case"stand":return A(n.ticket);case"enter":return e.j();case"look":return N("look");case"ended":case"given-up":case"cookies":return r=n.kind,s.t(),g.close(),void o({phase:r,link:"polling",problem:null,missedAt:null});case"closed":return j(n.text);case"reload":return e.reload();case"not-yet":return k=Date.now()+n.T+200*Math.random(),A(Object.assign({},n.ticket,{state:"called"}));case"refused":return o({problem:n.problem}),I(t,f(n.T*Math.min(8,2**l++)));case"unreachable":return I(t,y(1+l++,2e3));default:return n}var r})(t,((e,t)=>{if("page"===t.kind)return{kind:"reload"};if("down"===t.kind)return{kind:"unreachable"};const{status:n,body:a,T:i}=t;if(404===n||410===n)return((e,t)=>"take"===e||"room-not-found"===t.code?{kind:"reload"}:"giveUp"===e?{kind:"given-up"}:{kind:"look"===e?"ended":"look"})(e,a);if(n>=400)return((e,t)=>{switch(e.code){case"cookies-needed":return{kind:"cookies"};case"room-closed":return{kind:"closed",text:e.closed||null};case"room-suspended":return{kind:"enter"};case"line-full":case"lobby-full":return{kind:"refused",problem:"line-full",T:t};case"too-many-joins":return{kind:"refused",problem:"too-many-joins",T:t};default:return{kind:"refused",problem:"busy",T:t}}})(a,i);switch(e){case"giveUp":return{kind:"given-up"};case"look":return{kind:"enter"};case"claim":return 202!==n?{kind:"enter"}:void 0===a.state||"called"===a.state?{kind:"not-yet",T:i,ticket:a}:{kind:"stand",ticket:a};case"take":case"ask":return{kind:"stand",ticket:a};default:return e}})(t,n)))})},B=()=>{r&&"called"===i().phase&&O()};return{look:B,start(){r=!0,"live"===i().link&&o({link:"polling"}),(()=>{const{phase:e}=i();"taking"===e?N("take"):"closed"===e&&i().ticket?g.open():"waiting"!==e&&"called"!==e||h()||(g.open(),B(),"waiting"===e&&w())})()},stop(){r=!1,d=!1,u++,s.t(),g.close()},wake(){const{phase:e}=i();B();const t="lost"===i().link||"offline"===i().link;!r||!t&&Date.now()-c<3e3||("taking"===e&&N("take"),"waiting"===e&&(g.open(),g.wake(),N("ask")))},W(){l=0,o({phase:"taking",ticket:null}),N("take")},giveUp:()=>N("giveUp")}})({boot:$,memory:T,api:(e=>{let t=0;const n=async e=>{const n=Date.parse(e.headers.get("Date")||"");if(n&&(t=n-Date.now()),204===e.status)return{kind:"json",status:204,body:{},T:5e3};if(!/json/.test(e.headers.get("Content-Type")||""))return e.status<500||e.headers.has("Cf-Mitigated")?{kind:"page"}:{kind:"down"};const a=await e.json();return{kind:"json",status:e.status,body:a,T:k(e,a)}};return{I:e=>Date.parse(e)-t,ask:(t,a)=>Promise.race([fetch(e+a,{method:t,credentials:"same-origin",cache:"no-store",headers:{Accept:"application/json"}}).then(n),new Promise((e,t)=>window.setTimeout(t,15e3))]).catch(()=>({kind:"down"}))}})($.api),state:()=>F,update:Z,isShown:I,j(){ne.stop(),T.k(),Z({phase:"entering",asks:!1,problem:null}),P.set(900,te)},$:ee,reload(){Y||(Y=!0,J.set(f(T.m()),ee))}}),ae=((e,t)=>{const n=Math.random().toString(36).slice(2),a=M(),i=M();let o=!1,s=0;const r=()=>{o&&(c({kind:"lead",id:n,since:s,isShown:I(),state:t.state()}),a.set(5e3,r))},l=()=>{i.t(),o||(o=!0,s=Date.now(),r(),t.lead())},c=(e=>{if("function"!=typeof BroadcastChannel)return()=>{};const c=new BroadcastChannel(e);return c.onmessage=e=>(e=>{if(e.id===n)return;if("hello"===e.kind)return r();if("bye"===e.kind)return void(o||i.set(300*Math.random(),l));const c=I();if(!(e.isShown===c?e.since>s||e.since===s&&e.id>n||!o:e.isShown))return o?r():l();i.set(16e3,l),o&&(o=!1,a.t(),t.v()),t.hear(e.state)})(e.data),e=>c.postMessage(e)})("seiriken:"+e);return{D:r,open(){if(I())return l();c({kind:"hello",id:n}),i.set(600,l)},C:l,hidden:r,J(){if(!o)return i.t();o=!1,a.t(),c({kind:"bye",id:n}),t.v()}}})($.roomId,{state:()=>F,lead(){V=!1,Q(),K||ne.start()},v:()=>ne.stop(),hear(e){V=!0,K="entering"===e.phase,F=Object.assign({},e,{formLost:$.state.formLost,lost:F.lost}),Q()}}),ie=()=>{I()&&(C.S(),ae.C(),ne.wake())},oe=()=>{if(I())return ie();ne.look(),ae.hidden()},se=()=>{I()?ie():ae.open()},re=()=>{(({words:e,number:t,giveUp:n,P:a,again:i})=>{const o=U("giveUp"),s=U("giveUpBox"),r=e=>{s.hidden=!e,o.setAttribute("aria-expanded",e+""),(e?U("giveUpNo"):o).focus()},l=e=>{e(),U("headline").focus()};o.onclick=()=>{U("giveUpAsk").textContent=e.say("giveUpAsk",{number:t()}),r(s.hidden)},U("takeIn").onclick=a,U("giveUpNo").onclick=()=>r(!1),s.onkeydown=e=>{"Escape"===e.key&&r(!1)},U("giveUpYes").onclick=()=>{r(!1),l(n)},U("again").onclick=()=>l(i)})({number:()=>x.number(F.ticket&&F.ticket.number||0),words:x,giveUp(){ae.C(),ne.giveUp()},P(){const e=!0!==F.takesIn;T.o(_(F),{takesIn:e}),ae.C(),Z({takesIn:e})},again(){ae.C(),"closed"===F.phase||"cookies"===F.phase?ee():ne.W()}}),document.addEventListener("visibilitychange",oe),window.addEventListener("pageshow",e=>{e.persisted&&se()}),window.addEventListener("pagehide",()=>ae.J()),document.addEventListener("freeze",()=>ae.J()),document.addEventListener("resume",se),window.addEventListener("focus",ie),window.addEventListener("online",ie),window.addEventListener("offline",()=>{"waiting"!==F.phase&&"taking"!==F.phase||Z({link:"offline"})}),window.addEventListener("resize",H),ae.open()};z.className="scripts",F.lost&&(F=Object.assign({},F,{lost:Object.assign({},F.lost,{endedAt:Date.now()-F.lost.agoMs})})),"cookies"!==F.phase&&"taking"!==F.phase||(F=Object.assign({},F,{phase:navigator.cookieEnabled?"taking":"cookies"})),T.h()&&(F=Object.assign({},F,{phase:"cookies"})),Q(),H(),document.prerendering?document.addEventListener("prerenderingchange",re):re()})();';

export const ownTemplate =
  '{{#refresh}}<noscript><meta http-equiv="refresh" content="{{refresh}};url={{to}}"></noscript>{{/refresh}}<script type="application/json" id="seiriken-boot">{{{boot}}}</script>{{#ownWatchdog}}<script>{{{ownWatchdog}}}</script>{{/ownWatchdog}}<script>{{{ownScript}}}</script>';

export const ownWatchdog =
  '(function(){var e=JSON.parse(document.getElementById("seiriken-boot").textContent).to;setTimeout(function(){window.seiriken||location.replace(e)},2e4)})();';

export const ownScript =
  '"use strict";(()=>{var e=(e,t)=>{const n=Number(e.headers.get("Retry-After"));return t.retry_after_ms||(n>0?1e3*n:5e3)},t={take:["POST","/tickets"],ask:["GET","/tickets/mine"],claim:["POST","/visits"],giveUp:["DELETE","/tickets/mine"],look:["GET","/visits/mine"]},n=1e3,a=e=>{const t=Math.round(e*(.85+.3*Math.random()));return 5e3===t?t+37:t},i=(e,t)=>{const n=Math.max(t,Math.min(6e4,t*2**Math.min(e,10)));return Math.round(0===e?Math.random()*n:(.5+Math.random()/2)*n)},r=e=>Math.max(2e3,(e||0)/4e4*n),s=0,o=()=>{let e,t=0;const n=()=>{t++,window.clearTimeout(e)};return{t:n,set(a,i){n();const r=t,o=Date.now()+a;e=window.setTimeout(()=>{s=Math.max(0,Date.now()-o),(e=>{const{port1:t,port2:n}=new MessageChannel;t.onmessage=e,n.postMessage(0)})(()=>{r===t&&i()})},a)}}},l=[4400,4401,4403,4410,4429],c=[4401,4410],u=(e,t)=>{try{return JSON.parse(window[e].getItem(t)||"null")}catch(e){return null}},d=(e,t,n)=>{try{return window[e].setItem(t,JSON.stringify(n)),!0}catch(e){return!1}},k=()=>"visible"===document.visibilityState,h=(e,t,n)=>{try{return t.toLocaleString(e||void 0,{style:"unit",unit:n,unitDisplay:"long"})}catch(e){return`${t} ${"minute"===n?"min":"h"}`}},m=(e,t)=>{const n=Math.max(1,Math.ceil(t/60)),a=Math.floor(n/60),i=n%60;if(0===a)return h(e,n,"minute");const r=h(e,a,"hour");return 0===i?r:`${r} ${h(e,i,"minute")}`},g=(e,t)=>null===t?"":t.toLocaleString(e||void 0),p=document.documentElement,f=JSON.parse(document.getElementById("seiriken-boot").textContent||""),w=(e=>{const t=`seiriken:${e}:way`,n=`seiriken:${e}:in`,a=`seiriken:${e}:reloads`,i=`seiriken:${e}:wait`,r=e=>{const t=u("localStorage",i);return null!==t&&t.number===e?t:{}};return{i:r,o(e,t){d("localStorage",i,Object.assign({},r(e),t,{number:e}))},l(e){const{claimBy:t}=r(e);return t&&t-2e3<=Date.now()?t:null},u(e,n){const a=u("localStorage",t);if(null!==a&&a.number===e&&a.startAhead>=n)return a;const i={number:e,startAhead:n,takenAt:null!==a&&a.number===e?a.takenAt:Date.now()};return d("localStorage",t,i),i},k(){const e=u("sessionStorage",n);d("sessionStorage",n,{at:Date.now(),count:e?e.count:0})},h(){const e=u("sessionStorage",n);if(null===e)return!1;const t=Date.now()-e.at<5e3?e.count+1:0;return d("sessionStorage",n,{at:0,count:t>=3?0:t}),t>=3},m(){const e=u("sessionStorage",a)||0;return d("sessionStorage",a,e+1)?Math.min(3e5,8e3*2**Math.min(e,10)):6e4},p(){u("sessionStorage",a)&&d("sessionStorage",a,0)}}})(f.roomId),y=o(),M=o(),b=o(),v=f.state,D=!1,S=!1,O=!1,A="",j=()=>((e,t)=>{const{ticket:n,claimBy:a}=e,i=n&&!e.paused&&n.eta;return{phase:t?"elsewhere":e.phase,number:n&&n.number,ahead:n&&n.ahead,among:n&&n.among||null,waitSeconds:i&&i.known&&void 0!==i.seconds?i.seconds:null,claimBy:null===a?null:new Date(a).toISOString(),paused:e.paused,message:e.message,closed:e.closed,link:e.link,problem:e.problem}})(v,(D||S)&&("called"===v.phase&&!v.asks||"entering"===v.phase)),$=()=>location.replace(f.to),B=(e=0)=>{O||(O=!0,y.set(Math.max(a(w.m()),e),$))},C=()=>{const e=j();(e=>{const t=((e,t)=>({number:g(t,e.number),ahead:g(t,e.ahead),among:g(t,e.among),wait:null===e.waitSeconds?"":m(t,e.waitSeconds),message:e.message||"",closed:e.closed||""}))(e,p.lang);p.setAttribute("data-seiriken-phase",e.phase),e.paused?p.setAttribute("data-seiriken-paused",""):p.removeAttribute("data-seiriken-paused"),Array.prototype.slice.call(document.querySelectorAll("[data-seiriken]")).forEach(e=>{const n=t[e.getAttribute("data-seiriken")||""];void 0!==n&&e.textContent!==n&&(e.textContent=n)})})(e),document.dispatchEvent(new CustomEvent("seiriken",{detail:e}))},E=()=>{v.asks&&!D?(document.title=((e,t)=>{if(null===t)return"● "+e;const n=Math.max(0,Math.ceil((t-Date.now())/1e3));return`${n%2==0?"●":"○"} ${Math.floor(n/60)}:${("0"+n%60).slice(-2)} ${e}`})(A,v.claimBy),N.look(),b.set(n,E)):document.title=A},W=e=>{const t=v;v=Object.assign({},v,e),C(),v.asks&&!t.asks&&(A=document.title,E()),v.phase!==t.phase&&(({phase:e})=>{"closed"===e&&null===document.querySelector(\'[data-seiriken="closed"]\')&&B(Math.random()*r(v.waiting)),"cookies"===e&&B(),"ended"===e&&null===document.querySelector(\'[data-seiriken-do="again"]\')&&B()})(v),T.M()},I=()=>{const e=location.pathname+location.search;""!==location.hash&&e===f.to?location.reload():$()},N=(e=>{const{boot:u,api:d,memory:k,state:h,update:m}=e,g=o();let p=!1,f=0,w=0,y=0,M=!1,b=null;const v=((e,t)=>{const n=location.origin.replace(/^http/,"ws")+e+"/socket",r=o(),s=o();let c=null,u=!1,d=0,k=0;const h=e=>{const n=c;if(c=null,s.t(),null!==n&&(n.onopen=n.onmessage=n.onclose=null,n.close()),!u)return;const a=l.indexOf(e)<0?i(k++,t.v()):12e4;r.set(a,g),t.down(e)},m=()=>s.set(a(3e4),()=>{if(Date.now()-d>65e3)return h(1006);null!==c&&c.readyState===WebSocket.OPEN&&c.send("ping"),m()}),g=()=>{r.t(),d=Date.now();try{c=new WebSocket(n)}catch(e){return h(1006)}c.onopen=()=>null!==c&&c.send("ping"),c.onmessage=e=>(e=>{if(d=Date.now(),"string"!=typeof e||"pong"===e)return;let n;try{n=JSON.parse(e)}catch(e){return}"ready?"!==n.type?(k=0,t.message(n)):null!==c&&c.send(\'{"type":"ready"}\')})(e.data),c.onclose=e=>h(e.code),m()};return{open(){u||(u=!0,g())},close(){u=!1,r.t(),h(1e3)},wake(){u&&!(()=>{if(null===c)return!1;const e=Date.now()-d;return c.readyState===WebSocket.CONNECTING?e<1e4:c.readyState===WebSocket.OPEN&&e<35e3})()&&(k=0,u=!1,h(1e3),u=!0,g())}}})(u.api,{v:()=>r(h().waiting),down:e=>{if("live"===h().link&&m({link:"polling"}),"closed"===h().phase)return v.close();if(D())return v.close();if("waiting"!==h().phase)return;const t=c.indexOf(e)<0?r(h().waiting):n;g.set(Math.random()*t+200,()=>C("ask"))},message:e=>{"live"!==h().link&&m({link:"live"}),"message"===e.type?m({message:e.text||null}):"paused"===e.type?m({paused:e.paused}):"closed"===e.type?$(e.text):"reload"===e.type||!1===e.closed&&"closed"===h().phase?g.set(2e3+Math.random()*r(h().waiting),j):"waiting"!==h().phase&&"called"!==h().phase||("position"===e.type?(O(e),"away"!==e.state||D()||C("ask")):"called"===e.type&&O({state:"called",ahead:0,claim_by:e.claim_by||null}))}}),D=()=>{const{phase:t,ticket:n,takesIn:a}=h();return"waiting"===t&&null!==n&&"away"===n.state&&!a&&!e.isShown()},S=()=>{if(D())return w=0,g.t();const{link:e,ticket:t}=h();g.set(Math.max(n,a(("live"===e?u.spans.returnWindow/4:t&&t.poll_after_seconds||5)*n)-(Date.now()-w)),()=>C("ask"))},O=t=>{const n=h().ticket,a=Object.assign({},n,t);if(null==a.number)return C("take");if("visiting"===a.state)return e.D();const i=a.ahead||0,r=k.u(a.number,i),s=null!==n&&(n.ahead||0)>i,o="called"===a.state,l=o&&a.claim_by?d.S(a.claim_by):null;null!==l&&k.o(a.number,{claimBy:l}),"called"!==h().phase&&(b=null),m({ticket:a,phase:o?"called":"waiting",claimBy:l,asks:o&&!e.isShown(),takesIn:!0===k.i(a.number).takesIn,missedAt:o?null:k.l(a.number),startAhead:r.startAhead,takenAt:r.takenAt,heardAt:Date.now(),waiting:void 0===t.waiting?h().waiting:t.waiting,paused:h().paused&&!s&&!o,problem:null}),D()||v.open(),o?A():S()},A=()=>{if(M)return;const t=Date.now(),{claimBy:a,takesIn:i,asks:r}=h(),o=e.isShown(),l=((e,t)=>{const{isShown:n,takesIn:a,claimBy:i,O:r,A:s,j:o}=e;return n||a?Math.max(t,n||null!==s||null===i?s||0:i-(Math.min(2e4,r/2)+o)):null})({isShown:o,takesIn:!0===i,claimBy:a,O:u.spans.claimWithin*n,A:b,j:s},t);return r===o&&m({asks:!o}),null!==l?l<=t?C("claim"):g.set(l-t,A):null===a?g.set(n,()=>C("ask")):void g.set(a+1500-t,()=>O({state:"away",claim_by:null}))},j=()=>{if(e.isShown())return e.$();m({phase:"taking"}),C("take")},$=e=>{g.t(),m({phase:"closed",closed:e||h().closed,problem:null})},B=(e,t)=>{if("claim"!==e)return g.set(t,()=>C(e));b=Date.now()+t,A()},C=n=>{g.t(),w=Date.now(),M="claim"===n;const r=++y,[s,o]=t[n];d.ask(s,o).then(t=>{r===y&&p&&(M=!1,"json"===t.kind&&k.p(),((t,n)=>{const r="unreachable"===n.kind||"reload"===n.kind;switch(r?m({link:!1===navigator.onLine?"offline":"lost"}):"lost"!==h().link&&"offline"!==h().link||m({link:"polling"}),r||"refused"===n.kind||(f=0),n.kind){case"stand":return O(n.ticket);case"enter":return e.D();case"look":return C("look");case"ended":case"given-up":case"cookies":return s=n.kind,g.t(),v.close(),void m({phase:s,link:"polling",problem:null,missedAt:null});case"closed":return $(n.text);case"reload":return e.reload();case"not-yet":return b=Date.now()+n.B+200*Math.random(),O(Object.assign({},n.ticket,{state:"called"}));case"refused":return m({problem:n.problem}),B(t,a(n.B*Math.min(8,2**f++)));case"unreachable":return B(t,i(1+f++,2e3));default:return n}var s})(n,((e,t)=>{if("page"===t.kind)return{kind:"reload"};if("down"===t.kind)return{kind:"unreachable"};const{status:n,body:a,B:i}=t;if(404===n||410===n)return((e,t)=>"take"===e||"room-not-found"===t.code?{kind:"reload"}:"giveUp"===e?{kind:"given-up"}:{kind:"look"===e?"ended":"look"})(e,a);if(n>=400)return((e,t)=>{switch(e.code){case"cookies-needed":return{kind:"cookies"};case"room-closed":return{kind:"closed",text:e.closed||null};case"room-suspended":return{kind:"enter"};case"line-full":case"lobby-full":return{kind:"refused",problem:"line-full",B:t};case"too-many-joins":return{kind:"refused",problem:"too-many-joins",B:t};default:return{kind:"refused",problem:"busy",B:t}}})(a,i);switch(e){case"giveUp":return{kind:"given-up"};case"look":return{kind:"enter"};case"claim":return 202!==n?{kind:"enter"}:void 0===a.state||"called"===a.state?{kind:"not-yet",B:i,ticket:a}:{kind:"stand",ticket:a};case"take":case"ask":return{kind:"stand",ticket:a};default:return e}})(n,t)))})},E=()=>{p&&"called"===h().phase&&A()};return{look:E,start(){p=!0,"live"===h().link&&m({link:"polling"}),(()=>{const{phase:e}=h();"taking"===e?C("take"):"closed"===e&&h().ticket?v.open():"waiting"!==e&&"called"!==e||D()||(v.open(),E(),"waiting"===e&&S())})()},stop(){p=!1,M=!1,y++,g.t(),v.close()},wake(){const{phase:e}=h();E();const t="lost"===h().link||"offline"===h().link;!p||!t&&Date.now()-w<3e3||("taking"===e&&C("take"),"waiting"===e&&(v.open(),v.wake(),C("ask")))},C(){f=0,m({phase:"taking",ticket:null}),C("take")},giveUp:()=>C("giveUp")}})({boot:f,memory:w,api:(t=>{let n=0;const a=async t=>{const a=Date.parse(t.headers.get("Date")||"");if(a&&(n=a-Date.now()),204===t.status)return{kind:"json",status:204,body:{},B:5e3};if(!/json/.test(t.headers.get("Content-Type")||""))return t.status<500||t.headers.has("Cf-Mitigated")?{kind:"page"}:{kind:"down"};const i=await t.json();return{kind:"json",status:t.status,body:i,B:e(t,i)}};return{S:e=>Date.parse(e)-n,ask:(e,n)=>Promise.race([fetch(t+n,{method:e,credentials:"same-origin",cache:"no-store",headers:{Accept:"application/json"}}).then(a),new Promise((e,t)=>window.setTimeout(t,15e3))]).catch(()=>({kind:"down"}))}})(f.api),state:()=>v,update:W,isShown:k,D(){N.stop(),w.k(),W({phase:"entering",asks:!1,problem:null}),M.set(900,I)},$:I,reload:B}),T=((e,t)=>{const n=Math.random().toString(36).slice(2),a=o(),i=o();let r=!1,s=0;const l=()=>{r&&(u({kind:"lead",id:n,since:s,isShown:k(),state:t.state()}),a.set(5e3,l))},c=()=>{i.t(),r||(r=!0,s=Date.now(),l(),t.lead())},u=(e=>{if("function"!=typeof BroadcastChannel)return()=>{};const o=new BroadcastChannel(e);return o.onmessage=e=>(e=>{if(e.id===n)return;if("hello"===e.kind)return l();if("bye"===e.kind)return void(r||i.set(300*Math.random(),c));const o=k();if(!(e.isShown===o?e.since>s||e.since===s&&e.id>n||!r:e.isShown))return r?l():c();i.set(16e3,c),r&&(r=!1,a.t(),t.W()),t.hear(e.state)})(e.data),e=>o.postMessage(e)})("seiriken:"+e);return{M:l,open(){if(k())return c();u({kind:"hello",id:n}),i.set(600,c)},I:c,hidden:l,N(){if(!r)return i.t();r=!1,a.t(),u({kind:"bye",id:n}),t.W()}}})(f.roomId,{state:()=>v,lead(){D=!1,C(),S||N.start()},W:()=>N.stop(),hear(e){D=!0,S="entering"===e.phase,v=e,C()}}),U=()=>{k()&&(T.I(),N.wake())},J=()=>{k()?U():T.open()},P=()=>{T.I(),"closed"===v.phase||"cookies"===v.phase?$():N.C()},G=()=>{T.I(),N.giveUp()},L=()=>{if(w.h())return W({phase:"cookies"});var e;e={again:P,"give-up":G},document.addEventListener("click",({target:t})=>{const n=t instanceof Element&&t.closest("[data-seiriken-do]");if(!n)return;const a=e[n.getAttribute("data-seiriken-do")||""];a&&a()}),document.addEventListener("visibilitychange",()=>{if(k())return U();N.look(),T.hidden()}),window.addEventListener("pageshow",e=>{e.persisted&&J()}),window.addEventListener("pagehide",()=>T.N()),document.addEventListener("freeze",()=>T.N()),document.addEventListener("resume",J),window.addEventListener("focus",U),window.addEventListener("online",U),window.addEventListener("offline",()=>{"waiting"!==v.phase&&"taking"!==v.phase||W({link:"offline"})}),T.open()},R=()=>{C(),f.isPreview||(document.prerendering?document.addEventListener("prerenderingchange",L):L())};Object.assign(window,{seiriken:{facts:j,again:P,giveUp:G}}),"loading"===document.readyState?document.addEventListener("DOMContentLoaded",R):R()})();';

export const catalogs: Catalogs = {
  en: {
    dir: "ltr",
    page: {
      aheadValue: "{n}",
      waitUnknown: "Not known yet",
      waitNoEnds: "It will be once the first visitors have left.",
      waitLong: "More than a day",
      waitSoon: "Under a minute",
      waitUpTo: "Up to {span}",
      waitAbout: "About {span}",
      minutesRange: "{low}–{high} minutes",
      hoursRange: "{low}–{high} hours",
      seconds: { one: "{n} second", other: "{n} seconds" },
      minutes: { one: "{n} minute", other: "{n} minutes" },
      hours: { one: "{n} hour", other: "{n} hours" },
      spans: "{a} {b}",
      taken: "Taken at {time}",
      heard: "As of {time}",
      progress: "You have come {share} of the way.",
      figures: "Each figure stands for about {n} people.",
      titleAhead: "{n} ahead",
      taking: "Taking your ticket",
      takingLead: "One moment. Your number is on its way.",
      waiting: "You are in line",
      waitingLead: "When it is your turn, this page takes you in by itself.",
      waitingLeadCalls:
        "When it is your turn, this page calls you, and takes you in as soon as you look at it.",
      next: "You are next",
      nextLead: "Nobody is ahead of you. Stay with this page: it takes you in by itself.",
      away: "You missed your call",
      awayLead:
        "Your number was called and nobody came. You keep your place: you are back in line as soon as you look at this page.",
      paused: "The doors are closed for the moment",
      pausedLead:
        "Nobody is being let in right now. Your place is kept, and it goes on as soon as the doors open.",
      pausedTaking: "Nobody is being let in right now. Your number is on its way.",
      called: "It is your turn",
      calledLead: "Please go in now. You have {span}.",
      calledLeadBy: "Your turn is kept until {time}.",
      entering: "Here you go",
      enteringLead: "The page you came for is opening.",
      elsewhere: "It is your turn, in your other tab",
      elsewhereLead: "You are going in with another tab or window. You can close this one.",
      ended: "Your place has ended",
      endedLead:
        "Number {number} is no longer in line: it was used, the time to come back was over, or its call was missed too often.",
      givenUp: "You gave up your place",
      givenUpLead: "Number {number} has left the line, and everyone behind it moves up. Thank you.",
      closed: "This line is closed",
      closedKept:
        "Number {number} stays yours: if this line opens again within {span}, you go on where you are.",
      cookies: "This page needs cookies",
      cookiesLead:
        "Your place in line is kept in a cookie, and your browser did not send it back. You have no place yet. Please allow cookies for this site, then try again.",
      formLost: "Your form has not been sent. Please fill it in and send it again once you are in.",
      missed:
        "Your turn was kept until {time} and passed unused. You keep number {number}, and are called again.",
      offline: "You are offline. The page goes on as soon as you are connected again.",
      lost: "The connection is interrupted. The page keeps trying by itself.",
      keptUntil: "Your place is kept until {time}.",
      busy: "It is very busy here. The page tries again by itself in a moment.",
      lineFull: "The line is full at the moment. The page tries again by itself.",
      tooManyJoins:
        "Too many tickets are being taken from your network at once. The page tries again by itself.",
      takeNew: "Take a new number",
      checkAgain: "Check again",
      tryAgain: "Try again",
      giveUpAsk:
        "Give up number {number}? You would lose your place, and start again at the end of the line.",
      saidTicket: "Your number is {number}.",
      saidAhead: { one: "{n} person is ahead of you.", other: "{n} people are ahead of you." },
      saidWait: "Estimated wait: {wait}.",
      saidBack: "You are connected again.",
    },
    server: {
      ahead: "Ahead of you",
      wait: "Estimated wait",
      among: "You are one of",
      waitDrawn: "Drawn by lot: any turn may be yours",
      number: "Your number",
      you: "You",
      line: "The line",
      goIn: "Go in",
      message: "A message from {name}",
      holds: "What you can count on",
      holdsReturn: "You may close this page. Come back within this time and you keep your place.",
      holdsClaim: "Once you are called, you have this long to go in.",
      holdsSession: "Inside, you may stay this long without activity.",
      sound: "Sound at my turn",
      notify: "Notification at my turn",
      takeIn: "Take me in even if I look elsewhere",
      takeInHint:
        "Your visit then begins even if you are not there. After {session} without activity it ends, and your number with it.",
      giveUp: "Give up my place",
      giveUpYes: "Yes, give it up",
      giveUpNo: "Keep my place",
      reference: "Reference {reference}",
      scriptless:
        "Without scripts, this page looks for you every {span}. To give up your place, simply close it.",
      reloads: "This page asks again in {span}, by itself. To give up your place, simply close it.",
      scriptlessTaking: "Your ticket comes the next time this page loads.",
      checkNow: "Check now",
    },
    lost: {
      at: "at {time}",
      ago: "{span} ago",
      inactive: "Your visit ended {when} after {span} without activity.",
      inactiveSometime: "Your visit ended {when}, because there was no activity.",
      timeUp: "Your visit ended {when}. It had lasted {span}, as long as a visit may.",
      finished: "Your visit ended {when}. It was finished by you or by the site.",
      revoked: "All visits were ended {when} by the people who run this site.",
      unconfirmed:
        "Your visit ended {when}. Others were waiting, and your browser had not come back within {span}.",
      unknown: "Your visit is over. It was last renewed {when}.",
    },
    event: {
      early: "The doors are not open yet",
      earlyLead: "Once they open, numbers are called in order.",
      earlyLeadDrawn:
        "Once they open, the order is drawn. Everyone with a ticket by then has the same chance, early or late.",
      opensIn: "The doors open in",
      saidOpens: "The doors open in {span}.",
      drawing: "The order is being drawn",
      drawingLead:
        "Everyone who was here when the doors opened has the same chance. Your place shows as soon as it is known.",
      drawn:
        "Those who were here when the doors opened had their order drawn by lot. Anyone can check that it was fair.",
      check: "Check the draw",
    },
    error: {
      reference: "Reference",
      tell: "If you ask the site for help, tell it this.",
      again: "Try again",
      back: "Back to the page before",
      front: "To the front page",
      byItself: "This page tries again by itself in {span}.",
      full: "It is full right now",
      fullDetail:
        "Everybody who fits is inside, and there is no line to wait in. Please try again in a while.",
      originUnreachable: "The site did not answer",
      originUnreachableDetail: "It has not got what you sent. Please try again in a moment.",
      originLost: "The site gave no answer",
      originLostDetail:
        "It may or may not have done what you asked. Please look before you do it again.",
      originTimeout: "The site took too long to answer",
      originTimeoutDetail:
        "It may still have done what you asked. Please look before you do it again.",
      paced: "One moment, please",
      pacedDetail: "The site takes no more requests this second. Your visit goes on.",
      notReady: "One moment, please",
      notReadyDetail: "This site's waiting room is starting.",
      internal: "Something broke here",
      internalDetail: "Please try again. If it stays, tell the site the reference.",
      ambiguousUrl: "This address has no single meaning",
      ambiguousUrlDetail: "Please check how it is spelled, or begin at the front page.",
      unknownHost: "This site is not served here",
      unknownHostDetail:
        "Its operator can name this host in a room's route or in PASS_HOSTS. A proxy in front has to send its visitors' Host on (nginx: proxy_set_header Host $http_host).",
      ambiguousHost: "This site is not served under this name",
      ambiguousHostDetail:
        "Its operator can name this host in the route of the room that is meant. A proxy in front has to send its visitors' Host on (nginx: proxy_set_header Host $http_host).",
      roomNotFound: "There is no such waiting room",
      roomNotFoundDetail: "Please check the address, or begin at the front page.",
      notFound: "There is nothing here",
      notFoundDetail: "Please check the address, or begin at the front page.",
    },
  },
  de: {
    dir: "ltr",
    page: {
      aheadValue: "{n}",
      waitUnknown: "Noch nicht bekannt",
      waitNoEnds: "Das zeigt sich, sobald die Ersten gegangen sind.",
      waitLong: "Mehr als einen Tag",
      waitSoon: "Unter einer Minute",
      waitUpTo: "Bis zu {span}",
      waitAbout: "Etwa {span}",
      minutesRange: "{low}–{high} Minuten",
      hoursRange: "{low}–{high} Stunden",
      seconds: { one: "{n} Sekunde", other: "{n} Sekunden" },
      minutes: { one: "{n} Minute", other: "{n} Minuten" },
      hours: { one: "{n} Stunde", other: "{n} Stunden" },
      spans: "{a} {b}",
      taken: "Gezogen um {time}",
      heard: "Stand {time}",
      progress: "Sie haben {share} des Weges hinter sich.",
      figures: "Jede Figur steht für etwa {n} Personen.",
      titleAhead: "{n} vor Ihnen",
      taking: "Ihre Nummer wird gezogen",
      takingLead: "Einen Moment bitte, Ihre Nummer kommt gleich.",
      waiting: "Sie stehen in der Schlange",
      waitingLead: "Sobald Sie an der Reihe sind, bringt diese Seite Sie von selbst hinein.",
      waitingLeadCalls:
        "Sobald Sie an der Reihe sind, ruft diese Seite Sie, und bringt Sie hinein, wenn Sie sie ansehen.",
      next: "Sie sind als Nächstes dran",
      nextLead:
        "Niemand ist mehr vor Ihnen. Bleiben Sie auf dieser Seite: Sie bringt Sie von selbst hinein.",
      away: "Sie haben Ihren Aufruf verpasst",
      awayLead:
        "Ihre Nummer wurde aufgerufen, aber niemand kam. Ihr Platz bleibt Ihnen: Sie stehen wieder an, sobald Sie diese Seite ansehen.",
      paused: "Die Türen sind im Moment geschlossen",
      pausedLead:
        "Gerade wird niemand eingelassen. Ihr Platz bleibt Ihnen; es geht weiter, sobald die Türen öffnen.",
      pausedTaking: "Gerade wird niemand eingelassen. Ihre Nummer kommt gleich.",
      called: "Sie sind an der Reihe",
      calledLead: "Bitte gehen Sie jetzt hinein. Sie haben {span} Zeit.",
      calledLeadBy: "Ihr Aufruf gilt bis {time}.",
      entering: "Bitte eintreten",
      enteringLead: "Die Seite, zu der Sie wollten, öffnet sich.",
      elsewhere: "Sie sind an der Reihe – im anderen Tab",
      elsewhereLead:
        "Sie gehen mit einem anderen Tab oder Fenster hinein. Dieses hier können Sie schließen.",
      ended: "Ihr Platz ist verfallen",
      endedLead:
        "Nummer {number} steht nicht mehr in der Schlange: Sie wurde benutzt, die Zeit zum Wiederkommen war vorbei, oder ihr Aufruf wurde zu oft verpasst.",
      givenUp: "Sie haben Ihren Platz abgegeben",
      givenUpLead:
        "Nummer {number} hat die Schlange verlassen, und alle dahinter rücken auf. Danke.",
      closed: "Diese Schlange ist geschlossen",
      closedKept:
        "Nummer {number} bleibt Ihre: Öffnet diese Schlange innerhalb von {span} wieder, geht es für Sie weiter, wo Sie stehen.",
      cookies: "Diese Seite braucht Cookies",
      cookiesLead:
        "Ihr Platz wird in einem Cookie aufbewahrt, und Ihr Browser hat ihn nicht zurückgeschickt. Sie haben noch keinen Platz. Bitte erlauben Sie Cookies für diese Seite und versuchen Sie es noch einmal.",
      formLost:
        "Ihr Formular wurde nicht abgeschickt. Bitte füllen Sie es noch einmal aus, sobald Sie drin sind.",
      missed:
        "Ihr Aufruf galt bis {time} und verstrich ungenutzt. Sie behalten die Nummer {number} und werden noch einmal aufgerufen.",
      offline: "Sie sind offline. Es geht weiter, sobald Sie wieder verbunden sind.",
      lost: "Die Verbindung ist unterbrochen. Die Seite versucht es von selbst weiter.",
      keptUntil: "Ihr Platz bleibt Ihnen bis {time}.",
      busy: "Hier ist gerade sehr viel los. Die Seite versucht es gleich von selbst noch einmal.",
      lineFull: "Die Schlange ist im Moment voll. Die Seite versucht es von selbst noch einmal.",
      tooManyJoins:
        "Aus Ihrem Netz werden gerade zu viele Nummern gezogen. Die Seite versucht es von selbst noch einmal.",
      takeNew: "Neue Nummer ziehen",
      checkAgain: "Noch einmal nachsehen",
      tryAgain: "Noch einmal versuchen",
      giveUpAsk:
        "Nummer {number} abgeben? Sie verlieren Ihren Platz und müssten sich wieder hinten anstellen.",
      saidTicket: "Ihre Nummer ist {number}.",
      saidAhead: { one: "{n} Person ist vor Ihnen.", other: "{n} Personen sind vor Ihnen." },
      saidWait: "Geschätzte Wartezeit: {wait}.",
      saidBack: "Sie sind wieder verbunden.",
    },
    server: {
      ahead: "Vor Ihnen",
      wait: "Geschätzte Wartezeit",
      among: "Das Los entscheidet unter",
      waitDrawn: "Jeder Aufruf wird ausgelost",
      number: "Ihre Nummer",
      you: "Sie",
      line: "Die Schlange",
      goIn: "Hineingehen",
      message: "Nachricht von {name}",
      holds: "Darauf können Sie sich verlassen",
      holdsReturn:
        "Sie dürfen diese Seite schließen. Kommen Sie in dieser Zeit zurück, behalten Sie Ihren Platz.",
      holdsClaim: "So lange haben Sie nach dem Aufruf Zeit, hineinzugehen.",
      holdsSession: "So lange dürfen Sie drinnen sein, ohne etwas zu tun.",
      sound: "Ton beim Aufruf",
      notify: "Mitteilung beim Aufruf",
      takeIn: "Auch einlassen, wenn ich woanders bin",
      takeInHint:
        "Ihr Besuch beginnt dann auch, wenn Sie nicht da sind. Nach {session} ohne Aktivität endet er, und mit ihm Ihre Nummer.",
      giveUp: "Platz abgeben",
      giveUpYes: "Ja, abgeben",
      giveUpNo: "Platz behalten",
      reference: "Referenz {reference}",
      scriptless:
        "Ohne Skripte sieht diese Seite alle {span} für Sie nach. Um Ihren Platz abzugeben, schließen Sie sie einfach.",
      reloads:
        "Diese Seite fragt in {span} von selbst wieder nach. Um Ihren Platz abzugeben, schließen Sie sie einfach.",
      scriptlessTaking: "Ihre Nummer kommt, wenn diese Seite das nächste Mal lädt.",
      checkNow: "Jetzt nachsehen",
    },
    lost: {
      at: "um {time} Uhr",
      ago: "vor {span}",
      inactive: "Ihr Besuch endete {when} nach {span} ohne Aktivität.",
      inactiveSometime: "Ihr Besuch endete {when}, weil es keine Aktivität gab.",
      timeUp:
        "Ihr Besuch endete {when}. Er hatte {span} gedauert, so lange wie ein Besuch dauern darf.",
      finished: "Ihr Besuch endete {when}. Sie oder die Website haben ihn beendet.",
      revoked: "Alle Besuche wurden {when} von den Betreibern dieser Website beendet.",
      unconfirmed:
        "Ihr Besuch endete {when}. Andere warteten, und Ihr Browser hatte sich nicht innerhalb von {span} zurückgemeldet.",
      unknown: "Ihr Besuch ist vorbei. Zuletzt verlängert wurde er {when}.",
    },
    event: {
      early: "Die Türen sind noch geschlossen",
      earlyLead: "Sobald sie öffnen, werden die Nummern der Reihe nach aufgerufen.",
      earlyLeadDrawn:
        "Sobald sie öffnen, wird die Reihenfolge ausgelost. Wer bis dahin eine Nummer hat, hat die gleiche Chance, ob früh oder spät gekommen.",
      opensIn: "Die Türen öffnen in",
      saidOpens: "Die Türen öffnen in {span}.",
      drawing: "Die Reihenfolge wird ausgelost",
      drawingLead:
        "Wer da war, als die Türen öffneten, hat die gleiche Chance. Ihr Platz erscheint hier, sobald er feststeht.",
      drawn:
        "Unter denen, die da waren, als die Türen öffneten, entschied das Los über die Reihenfolge. Jeder kann nachprüfen, ob es gerecht zuging.",
      check: "Auslosung nachprüfen",
    },
    error: {
      reference: "Referenz",
      tell: "Nennen Sie diese Referenz, wenn Sie die Website um Hilfe bitten.",
      again: "Noch einmal versuchen",
      back: "Zurück zur vorigen Seite",
      front: "Zur Startseite",
      byItself: "Diese Seite versucht es in {span} von selbst noch einmal.",
      full: "Im Moment ist alles voll",
      fullDetail:
        "Alle Plätze sind besetzt, und es gibt keine Schlange. Bitte versuchen Sie es später noch einmal.",
      originUnreachable: "Die Website hat nicht geantwortet",
      originUnreachableDetail:
        "Ihre Anfrage ist nicht angekommen. Bitte versuchen Sie es gleich noch einmal.",
      originLost: "Von der Website kam keine Antwort",
      originLostDetail:
        "Vielleicht hat sie getan, worum Sie gebeten haben, vielleicht nicht. Bitte sehen Sie nach, bevor Sie es wiederholen.",
      originTimeout: "Die Website hat zu lange gebraucht",
      originTimeoutDetail:
        "Vielleicht hat sie trotzdem getan, worum Sie gebeten haben. Bitte sehen Sie nach, bevor Sie es wiederholen.",
      paced: "Einen Moment bitte",
      pacedDetail:
        "In dieser Sekunde nimmt die Website keine weiteren Anfragen an. Ihr Besuch geht weiter.",
      notReady: "Einen Moment bitte",
      notReadyDetail: "Der Warteraum dieser Website startet gerade.",
      internal: "Hier ist etwas kaputtgegangen",
      internalDetail:
        "Bitte versuchen Sie es noch einmal. Wenn es so bleibt, nennen Sie der Website die Referenz.",
      ambiguousUrl: "Diese Adresse ist nicht eindeutig",
      ambiguousUrlDetail:
        "Bitte prüfen Sie die Schreibweise, oder beginnen Sie auf der Startseite.",
      unknownHost: "Diese Website gibt es hier nicht",
      unknownHostDetail:
        "Wer sie betreibt, kann diesen Host in der Route eines Raums oder in PASS_HOSTS nennen. Ein Proxy davor muss den Host seiner Besucher weitergeben (nginx: proxy_set_header Host $http_host).",
      ambiguousHost: "Unter diesem Namen gibt es die Website hier nicht",
      ambiguousHostDetail:
        "Wer sie betreibt, kann diesen Host in der Route des gemeinten Raums nennen. Ein Proxy davor muss den Host seiner Besucher weitergeben (nginx: proxy_set_header Host $http_host).",
      roomNotFound: "Diesen Warteraum gibt es nicht",
      roomNotFoundDetail: "Bitte prüfen Sie die Adresse, oder beginnen Sie auf der Startseite.",
      notFound: "Hier ist nichts",
      notFoundDetail: "Bitte prüfen Sie die Adresse, oder beginnen Sie auf der Startseite.",
    },
  },
  ja: {
    dir: "ltr",
    page: {
      aheadValue: "{n}人",
      waitUnknown: "まだわかりません",
      waitNoEnds: "最初の方が退出されるとわかります。",
      waitLong: "1日以上",
      waitSoon: "1分以内",
      waitUpTo: "{span}以内",
      waitAbout: "約{span}",
      minutesRange: "{low}〜{high}分",
      hoursRange: "{low}〜{high}時間",
      seconds: { other: "{n}秒" },
      minutes: { other: "{n}分" },
      hours: { other: "{n}時間" },
      spans: "{a}{b}",
      taken: "{time} 発券",
      heard: "{time} 現在",
      progress: "ここまで{share}進みました。",
      figures: "人のマーク1つが約{n}人分です。",
      titleAhead: "あと{n}人",
      taking: "整理券をお取りしています",
      takingLead: "少しお待ちください。まもなく番号が出ます。",
      waiting: "順番をお待ちください",
      waitingLead: "順番が来ましたら、このページが自動でご案内します。",
      waitingLeadCalls: "順番が来ましたらお知らせし、このページをご覧になりしだいご案内します。",
      next: "次はあなたの番です",
      nextLead: "前にお待ちの方はいません。まもなく自動でご案内します。",
      away: "お呼び出しの時間が過ぎました",
      awayLead: "番号はそのままです。このページをご覧になると列に戻ります。",
      paused: "ただいま入場を止めています",
      pausedLead: "今はどなたもご案内していません。順番はそのままで、再開しだいご案内します。",
      pausedTaking: "今はどなたもご案内していません。まもなく番号が出ます。",
      called: "あなたの番です",
      calledLead: "{span}以内にお入りください。",
      calledLeadBy: "{time}までお待ちしています。",
      entering: "どうぞお入りください",
      enteringLead: "ページを開いています。",
      elsewhere: "別のタブでご案内しています",
      elsewhereLead: "別のタブで入場しています。このページは閉じてかまいません。",
      ended: "この整理券は終了しました",
      endedLead:
        "{number}番は列から外れました。入場済み、期限切れ、またはお呼び出しに応答がなかったためです。",
      givenUp: "順番を取り消しました",
      givenUpLead: "{number}番は列から外れ、後ろの方が前に進みます。",
      closed: "受付は終了しました",
      closedKept: "{number}番はそのまま有効です。{span}以内に再開すれば、続けられます。",
      cookies: "Cookieを有効にしてください",
      cookiesLead: "整理券はまだ出ていません。Cookieを許可して、もう一度お試しください。",
      formLost: "フォームは未送信です。入場後にもう一度送信してください。",
      missed:
        "{time}までにお入りになりませんでした。番号{number}はそのままで、もう一度お呼びします。",
      offline: "オフラインです。接続が戻ると自動で再開します。",
      lost: "接続が途切れました。自動で再接続しています。",
      keptUntil: "順番は{time}まで確保されています。",
      busy: "ただいま大変混み合っています。自動でもう一度試します。",
      lineFull: "ただいま列がいっぱいです。自動でもう一度試します。",
      tooManyJoins: "同じ回線からの発券が集中しています。自動でもう一度試します。",
      takeNew: "新しい整理券を取る",
      checkAgain: "もう一度確認する",
      tryAgain: "もう一度試す",
      giveUpAsk: "{number}番を取り消しますか。取り消すと、列の最後からになります。",
      saidTicket: "あなたの番号は{number}番です。",
      saidAhead: { other: "前に{n}人お待ちです。" },
      saidWait: "待ち時間の目安は{wait}です。",
      saidBack: "接続が戻りました。",
    },
    server: {
      ahead: "前にお待ちの方",
      wait: "待ち時間の目安",
      among: "抽選をお待ちの方",
      waitDrawn: "抽選で決まります",
      number: "整理券番号",
      you: "あなた",
      line: "列のようす",
      goIn: "入場する",
      message: "{name}からのお知らせ",
      holds: "お約束",
      holdsReturn: "このページは閉じてもかまいません。この時間内に戻れば、順番はそのままです。",
      holdsClaim: "お呼びしてから、この時間内にお入りください。",
      holdsSession: "入場後、操作がないままでいられる時間です。",
      sound: "順番を音で知らせる",
      notify: "順番を通知で知らせる",
      takeIn: "ほかを見ていても入場する",
      takeInHint: "ご不在でも入場が始まり、操作がないまま{session}たつと番号も無効になります。",
      giveUp: "順番を取り消す",
      giveUpYes: "取り消す",
      giveUpNo: "このまま待つ",
      reference: "照会番号 {reference}",
      scriptless:
        "スクリプトが無効のため、{span}ごとにこのページを読み込み直します。取り消すには、ページを閉じるだけで結構です。",
      reloads:
        "このページは{span}後に自動でもう一度確認します。取り消すには、ページを閉じるだけで結構です。",
      scriptlessTaking: "次に読み込まれたときに、整理券が出ます。",
      checkNow: "今すぐ確認する",
    },
    lost: {
      at: "{time}に",
      ago: "{span}前に",
      inactive: "{span}のあいだ操作がなかったため、ご利用は{when}終了しました。",
      inactiveSometime: "操作がなかったため、ご利用は{when}終了しました。",
      timeUp: "ご利用時間の上限（{span}）に達したため、ご利用は{when}終了しました。",
      finished: "ご利用は{when}終了しました。ご自身またはサイト側で終了の操作がありました。",
      revoked: "サイトの運営者により、すべての方のご利用が{when}終了されました。",
      unconfirmed:
        "ほかの方がお待ちで、{span}以内にお使いのブラウザーから応答がなかったため、ご利用は{when}終了しました。",
      unknown: "ご利用はすでに終了しています。{when}延長されたのが最後でした。",
    },
    event: {
      early: "まだ開場していません",
      earlyLead: "開場すると、番号順にお呼びします。",
      earlyLeadDrawn:
        "開場すると、抽選で順番が決まります。それまでに整理券をお取りになった方は、早く来ても遅く来ても同じ確率です。",
      opensIn: "開場まで",
      saidOpens: "開場まで{span}です。",
      drawing: "順番を抽選しています",
      drawingLead:
        "開場の時点でお待ちだった方は、全員同じ確率です。順番が決まりしだい、ここに表示します。",
      drawn:
        "開場の時点でお待ちだった方の順番は、抽選で決まりました。公正に行われたことを、どなたでも確かめられます。",
      check: "抽選を確かめる",
    },
    error: {
      reference: "照会番号",
      tell: "サイトにお問い合わせの際は、この番号をお伝えください。",
      again: "もう一度試す",
      back: "前のページに戻る",
      front: "トップページへ",
      byItself: "このページは{span}後に自動でもう一度試します。",
      full: "ただいま満員です",
      fullDetail:
        "定員に達しており、順番待ちは行っていません。しばらくしてからもう一度お試しください。",
      originUnreachable: "サイトから応答がありません",
      originUnreachableDetail:
        "送信された内容は届いていません。少し待ってからもう一度お試しください。",
      originLost: "サイトから返事がありませんでした",
      originLostDetail: "ご依頼の操作が行われたかどうかわかりません。繰り返す前にご確認ください。",
      originTimeout: "サイトの応答に時間がかかりすぎました",
      originTimeoutDetail: "ご依頼の操作は行われた可能性があります。繰り返す前にご確認ください。",
      paced: "少しお待ちください",
      pacedDetail: "サイトはいま、これ以上のリクエストを受け付けられません。ご利用は続いています。",
      notReady: "少しお待ちください",
      notReadyDetail: "このサイトの待合室を準備しています。",
      internal: "問題が発生しました",
      internalDetail: "もう一度お試しください。続く場合は、照会番号をサイトにお伝えください。",
      ambiguousUrl: "このアドレスは正しく解釈できません",
      ambiguousUrlDetail: "アドレスをお確かめになるか、トップページからお進みください。",
      unknownHost: "このサイトはここでは提供されていません",
      unknownHostDetail:
        "サイトの運営者は、このホストをルームのルートまたは PASS_HOSTS に指定できます。前段のプロキシは訪問者の Host を転送する必要があります（nginx: proxy_set_header Host $http_host）。",
      ambiguousHost: "この名前ではサイトを提供していません",
      ambiguousHostDetail:
        "サイトの運営者は、該当するルームのルートにこのホストを指定できます。前段のプロキシは訪問者の Host を転送する必要があります（nginx: proxy_set_header Host $http_host）。",
      roomNotFound: "この待合室はありません",
      roomNotFoundDetail: "アドレスをお確かめになるか、トップページからお進みください。",
      notFound: "ここには何もありません",
      notFoundDetail: "アドレスをお確かめになるか、トップページからお進みください。",
    },
  },
};
