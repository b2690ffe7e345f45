/** What the visitor may ask for: a chime and a notification at the turn. Off until asked. */
export interface Bell {
  ring(text: string): void;
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

export const createBell = (sound: HTMLElement, notify: HTMLElement, name: string): Bell => {
  const Audio: AudioClass =
    window.AudioContext || (window as { webkitAudioContext?: AudioClass }).webkitAudioContext;
  let audio: AudioContext | null = null;
  let sounds = false;
  let notifies = false;

  sound.hidden = Audio === undefined;
  sound.onclick = () => {
    sounds = !sounds;
    press(sound, sounds);
    if (!sounds || Audio === undefined) return;
    audio = audio || new Audio();
    void audio.resume();
    chime(audio);
  };

  notify.hidden = !("Notification" in window) || Notification.permission === "denied";
  notify.onclick = () => {
    if (notifies) {
      notifies = false;
      return press(notify, false);
    }
    // Old Safari takes a callback and returns nothing.
    void Promise.resolve(Notification.requestPermission()).then(() => {
      notifies = Notification.permission === "granted";
      press(notify, notifies);
    });
  };

  return {
    ring(text) {
      if (sounds && audio !== null) chime(audio);
      if (!notifies) return;
      try {
        const note = new Notification(text, { body: name, tag: "seiriken" });
        note.onclick = () => window.focus();
      } catch (_onlyServiceWorkers) {
        if (navigator.vibrate) navigator.vibrate([200, 100, 200]);
      }
    },
  };
};
