// The stories of payment plans: what is on sale, and how admins change it under a log that shows every swap of a QR code.
import type { RequestActor } from '#server/http/request-actor.ts'
import { createHash } from 'node:crypto'
import type { Selectable } from 'kysely'
import type { Db } from '#server/db/database.ts'
import type { PlansTable } from '#server/db/tables.ts'
import { writeAudit, type AuditAction } from '#server/features/audit/audit.ts'
import type { AuditService } from '#server/features/audit/service.ts'
import { wantRecentPassword } from '#server/features/auth/step-up.ts'
import { amountOf } from '#shared/base/decimal.ts'
import { AppError } from '#shared/http/errors.ts'
import { findPlanFault, minorOf, type Plan, type PlanForm, type PlanType } from '#shared/plans/plan.ts'
import { planText } from '#shared/text/en/plans.ts'
import { checkPlanImage, type PlanImage } from './plan-image.ts'
import { plansRepository, type PlanValues } from './repository.ts'

type PlanRow = Selectable<PlansTable>

/** An admin at work: who, where from, and when the password was last given. */
export interface PlanEditor extends RequestActor {
  readonly confirmedAtMs: number
}

const planActions = ['plan-created', 'plan-updated', 'plan-deleted'] as const satisfies readonly AuditAction[]

export type PlansService = ReturnType<typeof plansService>

/** Plans. Every change wants a recent password and is written with its log row in one transaction. */
export function plansService(needs: { db: Db; audit: AuditService; now: () => number }) {
  const { db, now } = needs

  function log(
    transaction: Db,
    editor: PlanEditor,
    action: (typeof planActions)[number],
    before: PlanRow | undefined,
    after: PlanRow | undefined,
  ): Promise<void> {
    const plan = after ?? before
    return writeAudit(transaction, {
      at: new Date(now()),
      actor: editor,
      action,
      target: { id: plan?.id ?? null, name: `${plan?.type ?? ''} plan` },
      address: editor.address,
      details: { before: describe(before), after: describe(after) },
    })
  }

  return {
    async list(): Promise<Plan[]> {
      return (await plansRepository(db).all()).map((row) => presentPlan(row))
    },

    /** @throws AppError forbidden (old password), invalid (rules of form and image), conflict (the type has a plan). */
    async create(editor: PlanEditor, order: PlanForm & { type: PlanType }): Promise<void> {
      wantRecentPassword(editor, now())
      const values = valuesOf(order, await checkOrder(order))
      await db.transaction().execute(async (transaction) => {
        const created = await plansRepository(transaction).insert(order.type, values, new Date(now()))
        if (created === undefined) throw typeTaken(order.type)
        await log(transaction, editor, 'plan-created', undefined, created)
      })
    },

    /** @throws AppError as `create`, and not-found, invalid (another type), conflict (`version` is not the latest). */
    async update(
      editor: PlanEditor,
      order: PlanForm & { id: string; type?: PlanType | undefined; version?: number | undefined },
    ): Promise<void> {
      wantRecentPassword(editor, now())
      const known = isUuid(order.id) ? await plansRepository(db).find(order.id) : undefined
      refuseEdit(known, order)
      // The stored image sent back is kept as it is: making it anew each time would wear a JPEG out.
      const kept = known?.qr_image === order.qrcodeUrl ? { dataUrl: known.qr_image, qrText: known.qr_text } : undefined
      const values = valuesOf(order, await checkOrder(order, kept))
      await db.transaction().execute(async (transaction) => {
        const repository = plansRepository(transaction)
        const before = await repository.lock(order.id)
        refuseEdit(before, order)
        await log(transaction, editor, 'plan-updated', before, await repository.update(order.id, values, new Date(now())))
      })
    },

    /** @throws AppError forbidden (old password), not-found. */
    async remove(editor: PlanEditor, id: string): Promise<void> {
      wantRecentPassword(editor, now())
      await db.transaction().execute(async (transaction) => {
        const removed = await plansRepository(transaction).remove(id)
        if (removed === undefined) throw new AppError('not-found', planText.noSuchPlan)
        await log(transaction, editor, 'plan-deleted', removed, undefined)
      })
    },

    /** The image as a save would store it, and whom its code pays. @throws AppError invalid. */
    async readImage(dataUrl: string): Promise<{ qrcodeUrl: string; payee: string | null }> {
      const image = await checkPlanImage(dataUrl)
      return { qrcodeUrl: image.dataUrl, payee: codeText(image.qrText) }
    },

    lastChange: () => needs.audit.latest(planActions),
  }
}

function presentPlan(row: PlanRow): Plan {
  return {
    _id: row.id,
    month: row.months,
    price: Number(row.price_minor) / 100,
    qrcodeUrl: row.qr_image,
    type: row.type,
    payee: codeText(row.qr_text),
    version: row.version,
    updatedAt: row.updated_at.toISOString(),
  }
}

async function checkOrder(order: PlanForm, kept?: PlanImage): Promise<PlanImage> {
  const fault = findPlanFault(order)
  if (fault !== undefined) throw new AppError('invalid', fault.message, { code: 'plans.invalid', fields: { [fault.field]: fault.message } })
  return kept ?? checkPlanImage(order.qrcodeUrl)
}

function typeTaken(type: PlanType): AppError {
  const message = planText.typeTaken(type)
  return new AppError('conflict', message, { code: 'plans.type-taken', fields: { type: message } })
}

function valuesOf(order: PlanForm, image: PlanImage): PlanValues {
  return { months: amountOf(order.month), price_minor: minorOf(amountOf(order.price)), qr_image: image.dataUrl, qr_text: image.qrText }
}

function refuseEdit(plan: PlanRow | undefined, order: { type?: PlanType | undefined; version?: number | undefined }): void {
  if (plan === undefined) throw new AppError('not-found', planText.noSuchPlan)
  if (order.type !== undefined && order.type !== plan.type)
    throw new AppError('invalid', planText.typeFixed, { code: 'plans.type-fixed', fields: { type: planText.typeFixed } })
  if (order.version !== undefined && order.version !== plan.version)
    throw new AppError('conflict', planText.editedMeanwhile, { code: 'plans.edited-meanwhile' })
}

/** What the log keeps of a plan: whom it pays and a hash of the image, never the image. */
function describe(row: PlanRow | undefined): Record<string, unknown> | null {
  if (row === undefined) return null
  const image = createHash('sha256').update(row.qr_image).digest('hex')
  return { months: row.months, price: Number(row.price_minor) / 100, payee: codeText(row.qr_text), image, version: row.version }
}

function isUuid(text: string): boolean {
  return /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text)
}

/** What a QR code says, bounded for the wire; null where it says nothing. */
function codeText(qrText: string | null): string | null {
  const text = qrText?.trim().slice(0, 1000) ?? ''
  return text === '' ? null : text
}
