/** Queries of others for Cloudflare's API, word for word. */

/** developers.cloudflare.com, Waiting Room, "Load test with JMeter": its curl statement. */
export const DOCUMENTED = `query UsersQueuedOverTimeQuery($zoneId: string, $filter: ZoneWaitingRoomAnalyticsAdaptiveGroupsFilter_InputObject) {
  viewer {
    zones(filter: {zoneTag: $zoneId}) {
      timeseries: waitingRoomAnalyticsAdaptiveGroups(limit: 5000, filter: $filter, orderBy: [datetimeMinute_ASC]) {
        avg {
          totalActiveUsers
          totalActiveUsersConfig
          totalQueuedUsers
          __typename
        }
        max {
          totalQueuedUsers
          totalActiveUsers
          totalActiveUsersConfig
          __typename
        }
        min {
          totalActiveUsersConfig
          __typename
        }
        dimensions {
          ts: datetimeMinute
          __typename
        }
        __typename
      }
      total: waitingRoomAnalyticsAdaptiveGroups(limit: 1, filter: $filter) {
        max {
          totalQueuedUsers
          totalActiveUsers
          __typename
        }
        __typename
      }
      __typename
    }
    __typename
  }
}
`;

/** As programs that show Cloudflare's resources plot a room, by the hour or the quarter of one. */
export const plotted = (dimension: "datetimeHour" | "datetimeFifteenMinutes"): string =>
  `query W($zone: String!, $room: string, $from: Time!, $to: Time!) {
      viewer {
        zones(filter: { zoneTag: $zone }) {
          waitingRoomAnalyticsAdaptiveGroups(
            limit: 10000
            filter: { waitingRoomId: $room, datetime_geq: $from, datetime_leq: $to }
            orderBy: [${dimension}_ASC]
          ) {
            avg { totalActiveUsers totalQueuedUsers newUsersPerMinute }
            avgWeighted { timeOnOriginP50 totalTimeWaitedP90 }
            dimensions { ${dimension} }
          }
        }
      }
    }`;
