// Confirmation of a decision on a subscription: names the person and what changes until when.
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { monthLabel } from '#shared/plans/plan.ts'
import type { TermPreview } from '#shared/subscriptions/contract.ts'
import { decisionText as text } from '#shared/subscriptions/text/en-decisions.ts'
import { adminScreensText } from '#shared/users/text/en.ts'
import { indiaDate } from '#web/lib/india-date.ts'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'
import { FailureNotice } from '#web/ui/notice.tsx'
import { termQuery, useSetStatus } from './api.ts'
import { decisionEffect, hasTermChoice } from './decision-effect.ts'
import type { UnconfirmedDecision, DecisionInDialog } from './use-unconfirmed-decision.ts'

type Term = 'rest' | 'new'

export interface DecisionDialogProps {
  readonly shown: DecisionInDialog | undefined
  readonly rowState: (decision: UnconfirmedDecision) => RowState
  readonly onClose: () => void
}

/**
 * What the list shows of the row: `changed` when the status is no longer the one that the decision is based on, `gone` when
 * the row has left the list and may still have it.
 */
export type RowState = 'same' | 'changed' | 'gone'

const titles = { accept: text.acceptTitle, decline: text.declineTitle, suspend: text.suspendTitle } as const

/** Belongs beside the list, not in a row: it stays open when the row goes, and says why nothing can be decided any more. */
export function DecisionDialog({ shown, rowState, onClose }: DecisionDialogProps) {
  if (shown === undefined) return null
  return <Decision key={shown.opening} decision={shown} row={rowState(shown)} onClose={onClose} />
}

interface DecisionProps {
  readonly decision: DecisionInDialog
  readonly row: RowState
  readonly onClose: () => void
}

/** The effect is read from the server when the dialog opens; nothing can be confirmed before it is shown. */
function Decision({ decision: { action, userId, name, from, isOpen }, row, onClose }: DecisionProps) {
  const query = useQuery({ ...termQuery(userId), enabled: isOpen, refetchOnWindowFocus: false })
  const setStatus = useSetStatus(name)
  const [chosen, setChosen] = useState<Term>()
  const { data } = query
  const hasChoice = action === 'accept' && data !== undefined && hasTermChoice(data)
  const isImpossible = action === 'accept' && data?.newEnd === null
  const dialog = {
    isOpen,
    title: titles[action](name),
    confirmLabel: adminScreensText[action],
    variant: action === 'suspend' ? 'danger' : 'solid',
    onClose,
  } as const
  // Not by this dialog itself: its own decision refetches the list before it closes.
  if (row === 'changed' && setStatus.isIdle)
    return (
      <ConfirmDialog {...dialog} question="" isDisabled onConfirm={onClose}>
        <Alert sentence={text.notPossible} />
      </ConfirmDialog>
    )
  const decide = () =>
    setStatus.mutate({ id: userId, status: action === 'accept', from, term: hasChoice ? chosen : undefined }, { onSettled: onClose })
  return (
    <ConfirmDialog
      {...dialog}
      question={data !== undefined ? decisionEffect(action, name, data) : query.isError ? '' : adminScreensText.loading}
      isBusy={setStatus.isPending}
      isDisabled={data === undefined || isImpossible || (hasChoice && chosen === undefined)}
      onConfirm={decide}
    >
      {row === 'gone' && setStatus.isIdle && <Alert sentence={text.rowGone(name)} />}
      {query.isError && <FailureNotice query={query} />}
      {hasChoice && <TermChoice term={data} name={name} chosen={chosen} onChoose={setChosen} />}
      {data !== undefined && !isImpossible && <p className="mt-3 text-12 text-text-3">{text.undoNote}</p>}
    </ConfirmDialog>
  )
}

function Alert({ sentence }: { readonly sentence: string }) {
  return (
    <p role="alert" className="mt-2 text-13 text-warn">
      {sentence}
    </p>
  )
}

interface TermChoiceProps {
  readonly term: TermPreview
  readonly name: string
  readonly chosen: Term | undefined
  readonly onChoose: (term: Term) => void
}

/** Nothing is chosen at first: each choice is a different number of paid days. */
function TermChoice({ term, name, chosen, onChoose }: TermChoiceProps) {
  const { restEnd, newEnd, months } = term
  return (
    <fieldset className="mt-3 grid gap-2">
      <legend className="pb-1.5 text-13 font-medium">{text.choice(name)}</legend>
      {restEnd === null ? (
        <p className="text-12 text-text-2">{text.nothingLeft}</p>
      ) : (
        <Choice
          label={text.rest}
          effect={text.restEffect(indiaDate(restEnd))}
          isChosen={chosen === 'rest'}
          onChoose={() => onChoose('rest')}
        />
      )}
      <Choice
        label={text.newTerm(monthLabel(months))}
        effect={text.newEffect(indiaDate(newEnd))}
        isChosen={chosen === 'new'}
        onChoose={() => onChoose('new')}
      />
    </fieldset>
  )
}

interface ChoiceProps {
  readonly label: string
  readonly effect: string
  readonly isChosen: boolean
  readonly onChoose: () => void
}

function Choice({ label, effect, isChosen, onChoose }: ChoiceProps) {
  return (
    <label className="grid cursor-pointer grid-cols-[auto_1fr] items-center gap-x-2.5 rounded-panel border border-line-strong bg-canvas px-3 py-2.5 transition-colors hover:border-text-3 has-checked:border-accent has-checked:bg-hover has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-focus">
      <input type="radio" name="term" checked={isChosen} onChange={onChoose} className="size-4 accent-accent-solid outline-none" />
      <span className="text-13 font-medium">{label}</span>
      <span className="col-start-2 text-12 text-text-2">{effect}</span>
    </label>
  )
}
