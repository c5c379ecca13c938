// Use cases of payment plans: list them, and admin changes, with every QR code change in the audit log.
import { requireRecentPassword, type RequestActor } from '#server/http/session.ts'
import { createHash } from 'node:crypto'
import type { Selectable } from 'kysely'
import { z } from 'zod'
import type { Db } from '#server/db/database.ts'
import type { PlansTable } from '#server/db/tables.ts'
import { writeAudit, type AuditService } from '#server/features/audit/service.ts'
import type { AuditAction } from '#shared/audit/audit-actions.ts'
import { amountOf } from '#shared/base/read-decimal.ts'
import { AppError } from '#shared/http/app-error.ts'
import { paysAnother } from '#shared/plans/network.ts'
import { findPlanIssue, minorOf, type Plan, type PlanForm, type PlanType } from '#shared/plans/plan.ts'
import { message } from '#shared/messages/message.ts'
import { checkPlanImage, type PlanImage } from './check-plan-image.ts'
import { plansRepository, type PlanValues } from './repository.ts'

type PlanRow = Selectable<PlansTable>

const planActions = ['plan-created', 'plan-updated', 'plan-deleted'] as const satisfies readonly AuditAction[]

export type PlansService = ReturnType<typeof plansService>

/** Plans. Every change needs a recent password check and is written with its log row in one transaction. */
export function plansService({ db, audit, now }: { db: Db; audit: AuditService; now: () => number }) {
  const reader = plansRepository(db)

  function log(
    transaction: Db,
    actor: RequestActor,
    action: (typeof planActions)[number],
    before: PlanRow | undefined,
    after: PlanRow | undefined,
  ): Promise<void> {
    const plan = after ?? before
    return writeAudit(transaction, {
      at: new Date(now()),
      actor,
      action,
      target: { id: plan?.id ?? null, name: `${plan?.type ?? ''} plan` },
      address: actor.address,
      details: { before: auditDetails(before), after: auditDetails(after) },
    })
  }

  return {
    list: async (): Promise<Plan[]> => (await reader.all()).map((row) => presentPlan(row)),

    /** What is on sale, without images. */
    async offers(): Promise<Pick<Plan, 'type' | 'month' | 'price'>[]> {
      const rows = await reader.offers()
      return rows.map(({ type, months, price_minor }) => ({ type, month: months, price: Number(price_minor) / 100 }))
    },

    /** @throws AppError forbidden (old password check), invalid (rules of form and image), conflict (the type has a plan) */
    async create(actor: RequestActor, form: PlanForm & { type: PlanType }): Promise<void> {
      requireRecentPassword(actor, now())
      const values = valuesOf(form, await checkForm(form))
      await db.transaction().execute(async (transaction) => {
        const created = await plansRepository(transaction).insert(form.type, values, new Date(now()))
        if (created === undefined) throw typeTaken(form.type)
        await log(transaction, actor, 'plan-created', undefined, created)
      })
    },

    /** @throws AppError as `create`, and not-found, invalid (another type), conflict (`version` is not the latest) */
    async update(
      actor: RequestActor,
      form: PlanForm & { id: string; type?: PlanType | undefined; version?: number | undefined },
    ): Promise<void> {
      requireRecentPassword(actor, now())
      const plan = z.guid().safeParse(form.id).success ? await reader.find(form.id) : undefined
      rejectEdit(plan, form)
      // The stored image is not encoded again if sent back: each time would degrade a JPEG.
      const stored = plan?.qr_image === form.qrcodeUrl ? { dataUrl: plan.qr_image, qrText: plan.qr_text } : undefined
      const full = { network: plan?.network, address: plan?.address, ...withoutMissing(form), type: plan?.type }
      const values = valuesOf(full, await checkForm(full, stored))
      await db.transaction().execute(async (transaction) => {
        const repository = plansRepository(transaction)
        const before = await repository.lock(form.id)
        rejectEdit(before, form)
        await log(transaction, actor, 'plan-updated', before, await repository.update(form.id, values, new Date(now())))
      })
    },

    /** @throws AppError forbidden (old password check), not-found */
    async remove(actor: RequestActor, id: string): Promise<void> {
      requireRecentPassword(actor, now())
      await db.transaction().execute(async (transaction) => {
        const removed = await plansRepository(transaction).remove(id)
        if (removed === undefined) throw new AppError('not-found', 'adminPlans.noSuchPlan')
        await log(transaction, actor, 'plan-deleted', removed, undefined)
      })
    },

    /** The image as a save would store it, and the payee of its code. @throws AppError invalid */
    async readImage(dataUrl: string): Promise<{ qrcodeUrl: string; payee: string | null }> {
      const image = await checkPlanImage(dataUrl)
      return { qrcodeUrl: image.dataUrl, payee: codeText(image.qrText) }
    },

    lastChange: () => audit.latest(planActions),
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
    network: row.network,
    address: row.address,
    version: row.version,
    updatedAt: row.updated_at.toISOString(),
  }
}

async function checkForm(form: PlanForm, stored?: PlanImage): Promise<PlanImage> {
  const issue = findPlanIssue(form)
  if (issue !== undefined) throw new AppError('invalid', issue, { fields: { [issue.field]: issue } })
  const image = stored ?? (await checkPlanImage(form.qrcodeUrl))
  const address = form.address?.trim() ?? ''
  if (address !== '' && paysAnother(codeText(image.qrText), address))
    throw new AppError('invalid', 'adminPlans.paysAnother', { fields: { address: 'adminPlans.paysAnother' } })
  return image
}

function typeTaken(type: PlanType): AppError {
  const taken = message('adminPlans.typeTaken', type)
  return new AppError('conflict', taken, { fields: { type: taken } })
}

function valuesOf(form: PlanForm, image: PlanImage): PlanValues {
  const network = form.network === '' ? null : (form.network ?? null)
  return {
    months: amountOf(form.month),
    price_minor: minorOf(amountOf(form.price)),
    qr_image: image.dataUrl,
    qr_text: image.qrText,
    network,
    address: network === null ? null : (form.address ?? '').trim(),
  }
}

/** A form without network and address leaves those of the plan. */
function withoutMissing<T extends PlanForm>({ network, address, ...form }: T) {
  return network === undefined ? form : { ...form, network, address }
}

function rejectEdit(plan: PlanRow | undefined, form: { type?: PlanType | undefined; version?: number | undefined }): void {
  if (plan === undefined) throw new AppError('not-found', 'adminPlans.noSuchPlan')
  if (form.type !== undefined && form.type !== plan.type)
    throw new AppError('invalid', 'adminPlans.typeFixed', { fields: { type: 'adminPlans.typeFixed' } })
  if (form.version !== undefined && form.version !== plan.version) throw new AppError('conflict', 'adminPlans.editedMeanwhile')
}

/** What the audit log records of a plan: the payee and a hash of the image, never the image. */
function auditDetails(row: PlanRow | undefined): Record<string, unknown> | null {
  if (row === undefined) return null
  const image = createHash('sha256').update(row.qr_image).digest('hex')
  const target = row.network === null ? {} : { network: row.network, address: row.address }
  return { months: row.months, price: Number(row.price_minor) / 100, payee: codeText(row.qr_text), ...target, image, version: row.version }
}

/** Text of a QR code, truncated for the response; null if empty. */
function codeText(qrText: string | null): string | null {
  const text = qrText?.trim().slice(0, 1000) ?? ''
  return text === '' ? null : text
}
