// Dialogs of the drawings on a chart: the text of one, and whether to remove all.
import { workspaceText } from '#shared/workspace/text/en.ts'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'
import { TextDialog, type TextQuestion } from './text-dialog.tsx'

/** What is asked about the drawings. */
export type DrawingQuestion = { readonly kind: 'text'; readonly text: TextQuestion } | { readonly kind: 'remove-all' }

export interface DrawingDialogsProps {
  readonly isOpen: boolean
  readonly question: DrawingQuestion | undefined
  readonly onRemoveAll: () => void
  readonly onClose: () => void
}

export function DrawingDialogs({ question, onRemoveAll, onClose }: DrawingDialogsProps) {
  return (
    <>
      <TextDialog question={question?.kind === 'text' ? question.text : undefined} onClose={onClose} />
      <ConfirmDialog
        isOpen={question?.kind === 'remove-all'}
        title={workspaceText.removeAll}
        question={workspaceText.removeAllQuestion}
        confirmLabel={workspaceText.removeAll}
        onConfirm={() => {
          onRemoveAll()
          onClose()
        }}
        onClose={onClose}
      />
    </>
  )
}
