// The notice about an ended subscription, loaded for users who have one.
import { fetched } from '#web/ui/fetched.tsx'

export const LazyEndNotice = fetched(async () => (await import('./end-notice.tsx')).EndNotice)
