import { state } from "./page.ts";
import { element } from "./screen.ts";

/** As drawn in page.html. */
const FIGURE_WIDTH = 26;
const DOOR_WIDTH = 46;
/** So much of the line is left for those behind. */
const BEHIND_SHARE = 0.22;

/** Two digits are enough for a picture: 3,333 is about 3,300. */
const roundly = (value: number): number =>
  value < 1.5 ? 1 : value < 10 ? Math.round(value) : Number(value.toPrecision(2));

const drawing = element("line");
const crowds = drawing.querySelectorAll<SVGGElement>("svg>g");

/**
 * Draws the line: figures between the door and the visitor's own, and paler ones behind. It is a
 * picture at one scale from the visitor's first place on, so that every step in it is a real one.
 *
 * @returns how many people one figure stands for
 */
export const drawCrowd = (): number => {
  const { ticket, startAhead, waiting } = state;
  const ahead = (ticket && ticket.ahead) || 0;
  const room = drawing.getBoundingClientRect().width - DOOR_WIDTH;
  const figures = Math.max(3, Math.floor((room * (1 - BEHIND_SHARE)) / FIGURE_WIDTH) - 1);
  const each = Math.max(1, Math.max(startAhead || 0, ahead) / figures);
  const x = (ahead / each) * FIGURE_WIDTH;
  crowds.forEach((crowd) => (crowd.style.transform = `translate(${x}px)`));
  const others = Math.ceil(Math.max(0, (waiting || 0) - ahead - 1) / each);
  element("behind").setAttribute("width", String(Math.min(others, 150) * FIGURE_WIDTH));
  return roundly(each);
};
