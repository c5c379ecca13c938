// Alerts by a Telegram bot: https://core.telegram.org/bots/api#sendmessage
import { z } from 'zod'
import type { AlertChannel } from './alert-channel.ts'

export interface TelegramOptions {
  /** Address of the Bot API, for example `https://api.telegram.org`. */
  readonly apiUrl: string
  /** Of the bot. It is part of the URL, so errors must not repeat the URL. */
  readonly token: string
  /** Number or `@name` of a chat that the bot may write to. */
  readonly chat: string
  readonly timeoutMs?: number
}

const timeoutMsDefault = 10_000
/** Limit of the Bot API. */
const textMax = 4096
const answerSchema = z.object({ ok: z.boolean(), description: z.string().optional() })

export function telegramAlerts({ apiUrl, token, chat, timeoutMs = timeoutMsDefault }: TelegramOptions): AlertChannel {
  return {
    kind: 'telegram',
    async send({ subject, text }) {
      const body = { chat_id: chat, text: `${subject}\n\n${text}`.slice(0, textMax), link_preview_options: { is_disabled: true } }
      const response = await call(`${apiUrl}/bot${token}/sendMessage`, body, timeoutMs)
      const answer = answerSchema.safeParse(await response.json().catch(() => undefined))
      if (answer.data?.ok !== true)
        throw new Error(`Telegram answered ${response.status}: ${answer.data?.description ?? 'not the Bot API'}`)
    },
  }
}

async function call(url: string, body: unknown, timeoutMs: number): Promise<Response> {
  try {
    return await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
      redirect: 'error',
      signal: AbortSignal.timeout(timeoutMs),
    })
  } catch (error) {
    const { name, cause } = error as Error
    const reason = cause instanceof Error ? cause.message : name
    // Without the cause, which may repeat the URL.
    // oxlint-disable-next-line preserve-caught-error
    throw new Error(`Telegram cannot be reached: ${reason}`)
  }
}
