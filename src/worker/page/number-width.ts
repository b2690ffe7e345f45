/** Of bold digits in the fonts most visitors have: these stay as they are, others are condensed. */
const DIGIT = 57;
const SEPARATOR = 27;

/**
 * How wide the ticket's number is drawn, in hundredths of its font size. The drawing sets the text
 * to exactly this width and is scaled to its box: so it fits in any font, with as many digits as
 * there are, at every size, without measuring.
 */
export const numberWidth = (number: string): number => {
  const digits = number.replace(/[\s.,'\u2019\u066C]/g, "").length;
  return Math.max(1, digits) * DIGIT + (number.length - digits) * SEPARATOR;
};
