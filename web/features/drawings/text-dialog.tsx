// Dialog for the text of a drawing.
import { useRef, useState, type SyntheticEvent } from 'react'
import { drawingTextMax } from '#shared/drawings/drawing.ts'
import { workspaceText } from '#shared/workspace/text/en.ts'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { TextField } from '#web/ui/text-field.tsx'

export interface TextQuestion {
  readonly before: string
  readonly done: (text: string) => void
}

export function TextDialog({ question, onClose }: { readonly question: TextQuestion | undefined; readonly onClose: () => void }) {
  const field = useRef<HTMLInputElement>(null)
  return (
    <Dialog isOpen={question !== undefined} onClose={onClose} title={workspaceText.textTitle} firstField={field} widthClass="max-w-sm">
      {question !== undefined && <TextForm question={question} field={field} onClose={onClose} />}
    </Dialog>
  )
}

interface TextFormProps {
  readonly question: TextQuestion
  readonly field: React.RefObject<HTMLInputElement | null>
  readonly onClose: () => void
}

function TextForm({ question, field, onClose }: TextFormProps) {
  const [text, setText] = useState(question.before)
  const onSubmit = (event: SyntheticEvent) => {
    event.preventDefault()
    if (text.trim() === '') return
    question.done(text.trim())
    onClose()
  }
  return (
    <form onSubmit={onSubmit} className="grid gap-4">
      <TextField
        ref={field}
        label={workspaceText.textField}
        value={text}
        maxLength={drawingTextMax}
        onChange={(event) => setText(event.target.value)}
      />
      <Button type="submit" aria-disabled={text.trim() === ''}>
        {workspaceText.textSave}
      </Button>
    </form>
  )
}
