// Names of who changed a subscription.
import { actorText } from '#shared/subscriptions/text/en-status.ts'

const names: Readonly<Record<string, string>> = actorText

/** Emails stay as they are. */
export function actorName(actor: string): string {
  return names[actor] ?? actor
}
