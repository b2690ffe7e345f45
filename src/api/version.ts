/** The version of this program, as package.json has it: a test holds the two together. */
export const VERSION = "0.2.0";
