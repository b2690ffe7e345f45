import { expect, test } from "vitest";
import { readFlags } from "../../../cli/launch/flags.ts";
import { readSettings, settingSpecs } from "../../../cli/launch/settings.ts";

const settingsOf = (argv: readonly string[], env: Record<string, string> = {}) =>
  readSettings(readFlags(argv, settingSpecs), env);

test("[RUN-16] the flag goes before the variable, and neither means nobody", () => {
  const env = { TRUSTED_PROXIES: "10.0.0.0/8, ::1" };
  expect(settingsOf([]).trustedProxies).toBeNull();
  expect(settingsOf([], env).trustedProxies).toBe("10.0.0.0/8, ::1");
  expect(settingsOf(["--trusted-proxies", "1"], env).trustedProxies).toBe("1");
});

test.each(["all", "10.0.0.1/8", "33", "-1", "proxy.example"])(
  "[RUN-16] %s is refused, from flag and variable",
  (text) => {
    expect(() => settingsOf([`--trusted-proxies=${text}`])).toThrow(
      /--trusted-proxies .*it must be/,
    );
    expect(() => settingsOf([], { TRUSTED_PROXIES: text })).toThrow(/--trusted-proxies/);
  },
);
