// Notifications of the system, which browsers offer over https only, and on phones not to pages.

export type NotificationState = 'allowed' | 'denied' | 'undecided' | 'needs-https' | 'missing'

/** What the browser allows now. */
export function notificationState(): NotificationState {
  if (!isSecureContext) return 'needs-https'
  if (!('Notification' in window)) return 'missing'
  const { permission } = Notification
  return permission === 'granted' ? 'allowed' : permission === 'denied' ? 'denied' : 'undecided'
}

/** Asks the user if that may change anything. */
export async function askForNotifications(): Promise<NotificationState> {
  if (notificationState() === 'undecided') await Notification.requestPermission()
  return notificationState()
}

/** False if the browser shows none; phones allow them from a service worker only. */
export function showNotification(title: string, options: NotificationOptions): boolean {
  if (notificationState() !== 'allowed') return false
  try {
    const note = new Notification(title, options)
    note.addEventListener('click', () => window.focus())
    return true
  } catch {
    return false
  }
}
