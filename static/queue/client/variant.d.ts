/** The page may see an event. scripts/build-page.ts makes the queue page's script with and without. */
declare const EVENTS: boolean;
