/* Shows the notification of a turn, and answers a click on it: with the tab that waits, or the one that
   went in, or a new one. It is in no request's way: there is no page in its folder, and it hears no fetch. */
/* The page's first word comes while it is being installed, and may be the turn: nothing shows till then. */
let last = self.registration.active
  ? Promise.resolve()
  : new Promise((resolve) => self.addEventListener("activate", resolve));
self.addEventListener("message", (event) => {
  const { text, body, tag, here, to } = event.data;
  const { registration } = self;
  const options = { body, tag, renotify: true, requireInteraction: true, data: { here, to } };
  const act = () =>
    text
      ? registration.showNotification(text, Object.assign(options, { vibrate: [200, 100, 200] }))
      : registration
          .getNotifications({ tag })
          .then((shown) => shown.forEach((notification) => notification.close()));
  /* One after the other: a browser that is asked what is shown may forget what is on its way. */
  event.waitUntil((last = last.then(act, act)));
});
self.addEventListener("notificationclick", (event) => {
  const { here } = event.notification.data;
  const to = new URL(event.notification.data.to, here).href;
  const open = () => self.clients.openWindow(to);
  event.notification.close();
  event.waitUntil(
    self.clients.matchAll({ type: "window", includeUncontrolled: true }).then((pages) => {
      const page = pages.find(({ url }) => url === here) || pages.find(({ url }) => url === to);
      return page ? page.focus().catch(open) : open();
    }),
  );
});
