/** What the visitor may ask for: a chime and a notification at the turn. Off until asked. */
import { noteWait, waitOf } from "./memory.ts";
import { boot, numberOf, state } from "./page.ts";
import { element, press } from "./screen.ts";

/** The service worker: a path, alone in its folder, which is its scope. The build has it from the Worker. */
declare const BELL_PATH: string;

/** What the service worker is told. */
interface Note {
  /** Without one, what is shown is taken back. */
  readonly text: string | undefined;
  readonly body: string;
  /** One notification at a time has this tag. */
  readonly tag: string;
  /** The page that waits, and where a click leads when it is gone. */
  readonly here: string;
  readonly to: string;
}

/** Two notes: the second comes a while after the first, and fades. */
const NOTES_HZ = [659.3, 880] as const;
const FIRST_SECONDS = 0.22;
const ALL_SECONDS = 0.8;
const VOLUME = 0.25;

type AudioClass = typeof AudioContext | undefined;
const Audio: AudioClass =
  window.AudioContext || (window as { webkitAudioContext?: AudioClass }).webkitAudioContext;
const canNotify = "Notification" in window && "serviceWorker" in navigator;
const isAllowed = (): boolean => canNotify && Notification.permission === "granted";

let audio: AudioContext | undefined;
let sounds = false;
let notifies = false;

export const chime = (): void => {
  if (!sounds || !audio) return;
  const now = audio.currentTime;
  const tone = audio.createOscillator();
  const volume = audio.createGain();
  tone.frequency.setValueAtTime(NOTES_HZ[0], now);
  tone.frequency.setValueAtTime(NOTES_HZ[1], now + FIRST_SECONDS);
  volume.gain.setValueAtTime(VOLUME, now);
  volume.gain.setValueAtTime(VOLUME, now + FIRST_SECONDS);
  volume.gain.exponentialRampToValueAtTime(0.0001, now + ALL_SECONDS);
  tone.connect(volume).connect(audio.destination);
  tone.start();
  tone.stop(now + ALL_SECONDS);
};

/** Shows one notification, in place of the one before; without a text takes it back. */
export const notify = (text?: string): void => {
  if (!notifies) return;
  const note: Note = { text, body: boot.name, tag: boot.roomId, here: location.href, to: boot.to };
  // Sent by the service worker in every browser, as Android shows no others.
  void navigator.serviceWorker.register(BELL_PATH).then(
    ({ active, waiting, installing }) => (active || waiting || installing)!.postMessage(note),
    () => turn(false),
  );
};

const turn = (isOn: boolean): void => {
  notifies = isOn;
  press("notify", isOn);
  if (isOn) notify();
};

/** The visitor may have wished for notifications before this page was loaded again. */
export const rememberBell = (): void => {
  if (!notifies && isAllowed() && waitOf(numberOf(state)).notifies) turn(true);
};

const wish = (isWished: boolean): void => {
  noteWait(numberOf(state), { notifies: isWished });
  turn(isWished);
};

element("sound").hidden = !Audio;
element("sound").onclick = () => {
  sounds = !sounds;
  press("sound", sounds);
  if (!sounds || !Audio) return;
  audio = audio || new Audio();
  void audio.resume();
  chime();
};

element("notify").hidden = !canNotify || Notification.permission === "denied";
element("notify").onclick = () => {
  if (notifies) return wish(false);
  // Old Safari takes a callback and returns nothing.
  void Promise.resolve(Notification.requestPermission()).then(() => wish(isAllowed()));
};
