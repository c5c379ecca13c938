// Workspace routes: the workspace of an account, and its drawings by instrument.
import { z } from 'zod'
import { route } from '#shared/http/route.ts'
import { drawingListSchema, drawingsBytesMax } from '#shared/drawings/drawing.ts'
import { workspaceBytesMax, workspaceSchema } from './workspace.ts'

/** Number of saves; 0 before the first. A save sends the version it is based on. */
const version = z.int().min(0).max(2_000_000_000)

const workspaceState = z.object({ version, workspace: workspaceSchema })
const drawingsState = z.object({ version, drawings: drawingListSchema })

const slugParams = z.object({ slug: z.string().min(1).max(40) })

/** Margin for the rest of a body. */
const bodySpareBytes = 4 * 1024

export const workspaceRoutes = {
  read: route({
    method: 'GET',
    path: '/user/workspace',
    access: 'signed-in',
    summary: 'The workspace of this account and its version.',
    reply: z.object({ success: z.literal(true), data: workspaceState }),
    errorStatuses: [401],
  }),
  save: route({
    method: 'PUT',
    path: '/user/workspace',
    access: 'signed-in',
    summary: 'Replace the workspace; 409 where another device has saved since that version.',
    body: workspaceState,
    // White space counts here, but not in the limit of the workspace itself.
    bodyLimitBytes: workspaceBytesMax + bodySpareBytes,
    reply: z.object({ success: z.literal(true), data: z.object({ version }) }),
    errorStatuses: [400, 401, 409, 413],
  }),
  drawings: route({
    method: 'GET',
    path: '/user/drawings/:slug',
    access: 'signed-in',
    summary: 'The own drawings on one instrument; all but the free one need premium.',
    params: slugParams,
    reply: z.object({ success: z.literal(true), data: drawingsState }),
    errorStatuses: [401, 403, 404],
  }),
  saveDrawings: route({
    method: 'PUT',
    path: '/user/drawings/:slug',
    access: 'signed-in',
    summary: 'Replace the own drawings on one instrument; 409 where another device has saved since that version.',
    params: slugParams,
    body: drawingsState,
    bodyLimitBytes: drawingsBytesMax + bodySpareBytes,
    reply: z.object({ success: z.literal(true), data: z.object({ version }) }),
    errorStatuses: [400, 401, 403, 404, 409, 413],
  }),
}
