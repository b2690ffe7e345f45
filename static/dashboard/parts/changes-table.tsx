/** From what to what, setting by setting. */
export const ChangesTable = ({
  changes,
}: {
  readonly changes: Readonly<Record<string, readonly [from: unknown, to: unknown]>>;
}) => (
  <div class="scroll" tabIndex={0} role="region" aria-label="What changes">
    <table>
      <thead>
        <tr>
          <th scope="col">Setting</th>
          <th scope="col">From</th>
          <th scope="col">To</th>
        </tr>
      </thead>
      <tbody>
        {Object.entries(changes).map(([path, [from, to]]) => (
          <tr key={path}>
            <th scope="row" class="code">
              {path}
            </th>
            <td>{settingText(from)}</td>
            <td>{settingText(to)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  </div>
);

const SHOWN_MAX = 200;

export const settingText = (value: unknown): string => {
  if (value === null || value === undefined) return "none";
  if (value === true) return "yes";
  if (value === false) return "no";
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return text.length > SHOWN_MAX ? `${text.slice(0, SHOWN_MAX)}…` : text;
};
