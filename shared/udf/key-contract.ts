// UDF key routes of the account page.
import { z } from 'zod'
import { messageReply } from '#shared/http/message-reply.ts'
import { route } from '#shared/http/route.ts'
import type { MessageCode } from '#shared/text/messages.ts'

const keySchema = z.object({
  id: z.string(),
  name: z.string(),
  /** The first characters of the key. */
  prefix: z.string(),
  createdAt: z.string(),
  lastUsedAt: z.string().nullable(),
})

export type UdfKey = z.output<typeof keySchema>

/** Maximum number of keys per user. */
export const udfKeysMax = 5

export const udfKeyRoutes = {
  list: route({
    method: 'GET',
    path: '/user/udf-keys',
    access: 'signed-in',
    summary: 'The own UDF keys, without the keys themselves.',
    reply: z.object({ success: z.literal(true), data: z.array(keySchema) }),
    errorStatuses: [401],
  }),
  create: route({
    method: 'POST',
    path: '/user/udf-keys',
    access: 'signed-in',
    summary: 'A new UDF key, shown once. Asks for the own password when the sign-in is older than 15 minutes.',
    body: z.object({
      name: z
        .string()
        .trim()
        .min(1, 'udfKeys.nameMissing' satisfies MessageCode)
        .max(60, 'udfKeys.nameTooLong' satisfies MessageCode),
    }),
    reply: messageReply.extend({ data: z.object({ id: z.string(), key: z.string() }) }),
    status: 201,
    hasSecrets: true,
    errorStatuses: [400, 401, 403, 409],
  }),
  revoke: route({
    method: 'DELETE',
    path: '/user/udf-keys/:id',
    access: 'signed-in',
    summary: 'Revoke an own UDF key: it is rejected from the next request on.',
    params: z.object({ id: z.uuid() }),
    reply: messageReply,
    errorStatuses: [400, 401, 403, 404],
  }),
}
