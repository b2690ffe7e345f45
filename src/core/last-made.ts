/**
 * The last object of a kind, kept for V8's sake. How an object is laid out V8 forgets when it collects old
 * objects and finds none that is laid out so; and with it all code that it has optimized for such objects
 * goes, to be interpreted and optimized anew. What a request makes and is done with before it waits for
 * anything is never there at such a moment (docs/decisions/collections.md). Objects that are written down
 * whole, as `{ a, b }`, need none of this: V8 keeps what it knows of them with the code that makes them.
 */
export class LastMade<T extends object> {
  made: T | null = null;

  keep(made: T): T {
    this.made = made;
    return made;
  }
}
