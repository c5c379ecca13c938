// Payment plan routes, named as in the specification.
import { z } from 'zod'
import { messageReply } from '#shared/http/message-reply.ts'
import { route } from '#shared/http/route.ts'
import { networks } from './network.ts'
import { planSchema, planTypes } from './plan.ts'

const amount = z.union([z.number(), z.string()])
/** 1.5 million characters of image data, and a margin. */
const bodyLimitBytes = 2 * 1024 * 1024

/** Missing values get the message of the form. */
const planBody = {
  price: amount.default(''),
  month: amount.default(''),
  qrcodeUrl: z.string().default(''),
  /** Of the crypto plan, both or neither. A change without them keeps them, null removes them. */
  network: z.enum(networks).nullish(),
  address: z.string().max(100).nullish(),
}

export const planRoutes = {
  list: route({
    method: 'GET',
    path: '/admin/payment-info',
    access: 'signed-in',
    summary: 'The plans on sale, at most one of each type.',
    reply: z.object({ success: z.literal(true), data: z.array(planSchema) }),
    errorStatuses: [401],
  }),
  create: route({
    method: 'POST',
    path: '/admin/create-payment-info',
    access: 'admin',
    summary: 'Create the plan of a type. The image is decoded, checked and re-encoded by the server.',
    body: z.object({ ...planBody, type: z.enum(planTypes, { error: 'plans.fillAll' }) }),
    bodyLimitBytes,
    reply: messageReply,
    status: 201,
    errorStatuses: [400, 401, 403, 409, 413],
  }),
  update: route({
    method: 'PUT',
    path: '/admin/update-payment-info',
    access: 'admin',
    summary: 'Change a plan; `version` is the one that the change is based on.',
    body: z.object({ ...planBody, id: z.string(), type: z.enum(planTypes).optional(), version: z.number().int().optional() }),
    bodyLimitBytes,
    reply: messageReply,
    errorStatuses: [400, 401, 403, 404, 409, 413],
  }),
  remove: route({
    method: 'DELETE',
    path: '/admin/payment-info/:id',
    access: 'admin',
    summary: 'Take a plan off sale.',
    params: z.object({ id: z.uuid() }),
    reply: messageReply,
    errorStatuses: [400, 401, 403, 404],
  }),
  readImage: route({
    method: 'POST',
    path: '/admin/read-qr',
    access: 'admin',
    summary: 'Check an image as a save would and name the payee of its QR code.',
    body: z.object({ qrcodeUrl: z.string() }),
    bodyLimitBytes,
    reply: z.object({ success: z.literal(true), data: z.object({ qrcodeUrl: z.string(), payee: z.string().nullable() }) }),
    errorStatuses: [400, 401, 403, 413],
  }),
  lastChange: route({
    method: 'GET',
    path: '/admin/payment-info/last-change',
    access: 'admin',
    summary: 'Who changed a plan last, and when.',
    reply: z.object({
      success: z.literal(true),
      data: z.object({ at: z.string(), actor: z.string(), action: z.enum(['plan-created', 'plan-updated', 'plan-deleted']) }).nullable(),
    }),
    errorStatuses: [401, 403],
  }),
}
