/** What the visitor may ask for: a chime and a notification at the turn. Off until asked. */
export interface Bell {
  chime(): void;
  /** Shows one notification, in place of the one before. */
  tell(text: string): void;
  /** Takes the notification back: it is over, or the visitor is here. */
  hush(): void;
  /** The visitor wished for notifications before this page was loaded again. */
  remember(): void;
}

/** What the service worker is told. */
interface Note {
  /** Without one, what is shown is taken back. */
  readonly text?: string;
  readonly body: string;
  /** One notification at a time has this tag. */
  readonly tag: string;
  /** The page that waits, and where a click leads when it is gone. */
  readonly here: string;
  readonly to: string;
}

export interface BellPorts {
  readonly sound: HTMLElement;
  readonly notify: HTMLElement;
  /** The service worker: a path, alone in its folder, which is its scope. */
  readonly worker: string;
  readonly note: Note;
  wish(notifies: boolean): void;
}

const NOTES_HZ = [659.3, 880];
const NOTE_SECONDS = 0.5;

type AudioClass = typeof AudioContext | undefined;

const chime = (audio: AudioContext): void => {
  NOTES_HZ.forEach((hertz, index) => {
    const startsAt = audio.currentTime + index * 0.22;
    const tone = audio.createOscillator();
    const volume = audio.createGain();
    tone.frequency.value = hertz;
    volume.gain.setValueAtTime(0.0001, startsAt);
    volume.gain.exponentialRampToValueAtTime(0.25, startsAt + 0.02);
    volume.gain.exponentialRampToValueAtTime(0.0001, startsAt + NOTE_SECONDS);
    tone.connect(volume).connect(audio.destination);
    tone.start(startsAt);
    tone.stop(startsAt + NOTE_SECONDS);
  });
};

const press = (button: Element, on: boolean): void =>
  button.setAttribute("aria-pressed", String(on));

export const createBell = (ports: BellPorts): Bell => {
  const { sound, notify, note } = ports;
  const Audio: AudioClass =
    window.AudioContext || (window as { webkitAudioContext?: AudioClass }).webkitAudioContext;
  const canNotify = "Notification" in window && "serviceWorker" in navigator;
  const isAllowed = (): boolean => canNotify && Notification.permission === "granted";
  let audio: AudioContext | null = null;
  let sounds = false;
  let notifies = false;

  const turn = (on: boolean): void => {
    notifies = on;
    press(notify, on);
    if (on) send({});
  };

  /** Sent by the service worker in every browser, as Android shows no others. */
  const send = (text: Partial<Note>): void => {
    if (!notifies) return;
    void navigator.serviceWorker.register(ports.worker).then(
      (registration) => {
        const { active, waiting, installing } = registration;
        (active || waiting || installing)!.postMessage(Object.assign({}, note, text));
      },
      () => turn(false),
    );
  };

  sound.hidden = Audio === undefined;
  sound.onclick = () => {
    sounds = !sounds;
    press(sound, sounds);
    if (!sounds || Audio === undefined) return;
    audio = audio || new Audio();
    void audio.resume();
    chime(audio);
  };

  notify.hidden = !canNotify || Notification.permission === "denied";
  notify.onclick = () => {
    if (notifies) {
      ports.wish(false);
      return turn(false);
    }
    // Old Safari takes a callback and returns nothing.
    void Promise.resolve(Notification.requestPermission()).then(() => {
      ports.wish(isAllowed());
      turn(isAllowed());
    });
  };

  return {
    chime() {
      if (sounds && audio !== null) chime(audio);
    },
    tell: (text) => send({ text }),
    hush: () => send({}),
    remember() {
      if (!notifies && isAllowed()) turn(true);
    },
  };
};
