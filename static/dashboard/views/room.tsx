import { useEffect } from "preact/hooks";
import type { RoomResource } from "../../../src/api/rooms/resource.ts";
import { readRoom } from "../client/rooms-api.ts";
import { useAsked, type AskedState } from "../client/use-asked.ts";
import { useLive, type Live } from "../live/use-live.ts";
import { ModeBadge } from "../parts/mode-badge.tsx";
import { FailureNotice, Notice } from "../parts/notice.tsx";
import { PaceNotice } from "../parts/pace-notice.tsx";
import { hrefOf, type RoomTab } from "../route.ts";
import { useSession } from "../session.ts";
import { count, timeOf } from "../text/format.ts";
import { Controls } from "./controls.tsx";
import { DeskView } from "./desk.tsx";
import { EventNotice } from "./event-notice.tsx";
import { EventsView } from "./events.tsx";
import { Figures, Minute, Ring } from "./figures.tsx";
import { LinkBadge, LinkNotice } from "./link-line.tsx";
import { Timeline } from "./timeline.tsx";
import { Plots } from "./plots.tsx";
import { RecordView } from "./record.tsx";

const TABS: readonly (readonly [RoomTab, string])[] = [
  ["now", "Now"],
  ["record", "Record"],
  ["events", "Events"],
  ["timeline", "Timeline"],
  ["desk", "Help desk"],
];

interface RoomViewProps {
  readonly room: string;
  readonly tab: RoomTab;
}

export const RoomView = ({ room, tab }: RoomViewProps) => {
  const { client } = useSession();
  const live = useLive(client, room);
  const settings = useAsked(`room/${room}`, () => readRoom(client, room), null);
  const version = live.message?.settings ?? null;
  // Somebody, here or elsewhere, has changed the room: what stands is read again.
  useEffect(() => {
    if (version !== null) settings.again();
  }, [version]);
  const { value } = settings;
  const { message } = live;
  const waiting = message === null ? "" : `${count(message.waiting)} waiting · `;
  useEffect(() => {
    document.title = `${waiting}${value?.name ?? "Room"} · Seiriken`;
  }, [waiting, value?.name]);
  return (
    <main class="room">
      <header class="bar">
        <h1>{value?.name ?? "Room"}</h1>
        <ModeBadge mode={message?.mode ?? null} />
        <p class="where code">
          {value?.host}
          {value?.path}
        </p>
        <p class="heard soft">
          <LinkBadge link={live.link} />
          {message !== null && ` ${timeOf(Date.parse(message.at))}`}
        </p>
      </header>
      <nav class="tabs" aria-label="This room">
        {TABS.map(([name, label]) => (
          <a
            key={name}
            href={hrefOf({ name: "room", room, tab: name })}
            aria-current={tab === name ? "page" : undefined}
          >
            {label}
          </a>
        ))}
      </nav>
      <LinkNotice link={live.link} />
      {live.link.kind !== "gone" && <FailureNotice failure={settings.failure} />}
      <RoomTabView room={room} tab={tab} live={live} settings={settings} />
    </main>
  );
};

interface TabProps extends RoomViewProps {
  readonly live: Live;
  readonly settings: AskedState<RoomResource>;
}

const RoomTabView = ({ room, tab, live, settings }: TabProps) => {
  switch (tab) {
    case "record":
      return <RecordView room={room} roomName={settings.value?.name ?? "room"} />;
    case "events":
      return (
        <EventsView
          room={room}
          roomName={settings.value?.name ?? "this room"}
          version={live.message?.settings ?? null}
        />
      );
    case "timeline":
      return <Timeline room={room} version={live.message?.settings ?? null} />;
    case "desk":
      return <DeskView room={room} />;
    default:
      return <Now room={room} live={live} settings={settings} />;
  }
};

const Now = ({ room, live, settings }: Omit<TabProps, "tab">) => {
  const { may } = useSession();
  return (
    <div class="now">
      <div class="sight">
        {live.message !== null && (
          <>
            <EventNotice event={live.message.event} />
            <PaceNotice pace={live.message.pace} />
            <Figures message={live.message} points={live.points} />
            <div class="pair">
              <Ring message={live.message} />
              <Minute message={live.message} />
            </div>
          </>
        )}
      </div>
      {live.link.kind !== "gone" &&
        (may("operate") ? (
          <Controls settings={settings} message={live.message} />
        ) : (
          <Notice kind="told">Your token may look and change nothing.</Notice>
        ))}
      <Plots room={room} points={live.points} />
    </div>
  );
};
