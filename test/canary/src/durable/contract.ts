export interface LobbyRpc {
  take(): Promise<void>;
}
export const PREFIX = "/.canary";
