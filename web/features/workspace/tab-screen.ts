// The screen of this tab, so that a reload brings it back at once, and two windows side by side each keep their own.
import { screenSchema, type Screen } from '#shared/workspace/workspace.ts'
import { createSafeStorage } from '#web/lib/storage.ts'

const area = createSafeStorage(() => window.sessionStorage)

export function readTabScreen(userId: string): Screen | undefined {
  try {
    return screenSchema.safeParse(JSON.parse(area.get(nameOf(userId)) ?? 'null')).data
  } catch {
    return undefined
  }
}

export function keepTabScreen(userId: string, screen: Screen): void {
  area.set(nameOf(userId), JSON.stringify(screen))
}

/** The next person in this tab has a screen of their own. */
function nameOf(userId: string): string {
  return `screen.${userId}`
}
