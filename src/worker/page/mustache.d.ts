/** The part of mustache that we use; the package brings no types of its own. */
declare module "mustache" {
  interface Config {
    readonly escape?: (text: unknown) => string;
  }
  /** A parsed template: only the package looks into it. */
  type Tokens = readonly unknown[];
  class Context {
    constructor(view: object);
  }
  class Writer {
    /** Undefined: it keeps no template that it has parsed. */
    templateCache: undefined;
    parse(template: string): Tokens;
    renderTokens(tokens: Tokens, context: Context, partials: undefined, template: string): string;
  }
  const Mustache: {
    render(template: string, view: object, partials?: object, config?: Config): string;
    readonly Context: typeof Context;
    readonly Writer: typeof Writer;
  };
  export default Mustache;
}
