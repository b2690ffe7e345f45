/** The part of mustache that we use; the package brings no types of its own. */
declare module "mustache" {
  const Mustache: { render(template: string, view: object): string };
  export default Mustache;
}
