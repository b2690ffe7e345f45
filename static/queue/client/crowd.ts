import type { PageState } from "../../../src/page/state.ts";

/** As drawn in page.html. */
const FIGURE_WIDTH = 26;
const DOOR_WIDTH = 46;
/** So much of the line is left for those behind. */
const BEHIND_SHARE = 0.22;

/** Two digits are enough for a picture: 3,333 is about 3,300. */
const roundly = (value: number): number =>
  value < 1.5 ? 1 : value < 10 ? Math.round(value) : Number(value.toPrecision(2));

/**
 * Draws the line: figures between the door and the visitor's own, and paler ones behind. It is a
 * picture at one scale from the visitor's first place on, so that every step in it is a real one.
 */
export const createCrowd = (drawing: Element) => {
  const crowds = drawing.querySelectorAll<SVGGElement>(".crowd");
  const behind = drawing.querySelector("#crowdBehind")!;

  /** @returns how many people one figure stands for */
  const draw = ({ ticket, startAhead, waiting }: PageState): number => {
    const ahead = (ticket && ticket.ahead) || 0;
    const room = drawing.getBoundingClientRect().width - DOOR_WIDTH;
    const figures = Math.max(3, Math.floor((room * (1 - BEHIND_SHARE)) / FIGURE_WIDTH) - 1);
    const each = Math.max(1, Math.max(startAhead || 0, ahead) / figures);
    const x = (ahead / each) * FIGURE_WIDTH;
    for (let i = 0; i < crowds.length; i++) crowds[i]!.style.transform = `translate(${x}px)`;
    const others = Math.ceil(Math.max(0, (waiting || 0) - ahead - 1) / each);
    behind.setAttribute("width", String(Math.min(others, 150) * FIGURE_WIDTH));
    return roundly(each);
  };
  return { draw };
};
