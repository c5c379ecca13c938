// Picker and preview for a plan's QR image, with its payee.
import { useId, useRef, useState, type ReactNode } from 'react'
import { amountOf } from '#shared/base/read-decimal.ts'
import { adminScreensText as text } from '#shared/users/text/en.ts'
import { Button } from '#web/ui/button.tsx'
import { QrCodeIcon } from '#web/ui/icon.ts'
import { imageTypes } from './read-image-file.ts'
import { PayeeNote } from './payee-note.tsx'
import type { PlanForm } from './plan-form.ts'
import { useImageChoice, type CheckedPayee } from './use-image-choice.ts'

export interface ImagePickerProps {
  readonly values: PlanForm
  /** Payee of the initial image. */
  readonly payee: CheckedPayee
  /** Error of the form, for example a missing image. */
  readonly formIssue: string | undefined
  readonly onImage: (dataUrl: string) => void
}

export function ImagePicker({ values, payee: initialPayee, formIssue, onImage }: ImagePickerProps) {
  const { isReading, issue: choiceIssue, payee, choose } = useImageChoice(initialPayee, onImage)
  const issue = choiceIssue ?? formIssue
  const id = useId()
  const hasImage = values.qrcodeUrl !== ''
  const take = (files: FileList | null) => {
    const file = files?.[0]
    if (file !== undefined) void choose(file)
  }
  return (
    <fieldset aria-busy={isReading} className="min-w-0">
      <legend className="pb-1.5 text-13 font-medium text-text-2">{text.image}</legend>
      <DropZone onDrop={take}>
        <Preview url={values.qrcodeUrl} />
        <div className="min-w-0 flex-1">
          <FileButton
            id={id}
            label={hasImage ? text.changeImage : text.chooseImage}
            isBusy={isReading}
            describedBy={issue === undefined ? `${id}-rules` : `${id}-issue ${id}-rules`}
            onFiles={take}
          />
          <p id={`${id}-rules`} className="mt-2 text-12 text-text-3">
            {text.imageRules}
          </p>
        </div>
      </DropZone>
      {issue !== undefined && (
        <p id={`${id}-issue`} role="alert" className="pt-1.5 text-12 text-danger">
          {issue}
        </p>
      )}
      {hasImage && !isReading && <PayeeNote code={payee} price={amountOf(values.price)} type={values.type} />}
    </fieldset>
  )
}

function DropZone({ onDrop, children }: { readonly onDrop: (files: FileList) => void; readonly children: ReactNode }) {
  const [isOver, setIsOver] = useState(false)
  return (
    <div
      onDragOver={(event) => {
        event.preventDefault()
        setIsOver(true)
      }}
      onDragLeave={() => setIsOver(false)}
      onDrop={(event) => {
        event.preventDefault()
        setIsOver(false)
        onDrop(event.dataTransfer.files)
      }}
      className={`flex items-center gap-4 rounded-panel border border-dashed p-3 ${isOver ? 'border-focus bg-hover' : 'border-line-strong'}`}
    >
      {children}
    </div>
  )
}

function Preview({ url }: { readonly url: string }) {
  if (url !== '') return <img src={url} alt={text.imagePreview} className="size-28 shrink-0 rounded-control bg-white object-contain" />
  return (
    <span aria-hidden className="grid size-28 shrink-0 place-items-center rounded-control bg-canvas text-text-3">
      <QrCodeIcon className="size-8" strokeWidth={1} />
    </span>
  )
}

interface FileButtonProps {
  readonly id: string
  readonly label: string
  readonly isBusy: boolean
  readonly describedBy: string
  readonly onFiles: (files: FileList | null) => void
}

/** A button that opens the browser's file dialog. */
function FileButton({ id, label, isBusy, describedBy, onFiles }: FileButtonProps) {
  const input = useRef<HTMLInputElement>(null)
  return (
    <>
      <input
        ref={input}
        id={id}
        type="file"
        aria-label={text.image}
        accept={imageTypes.join(',')}
        tabIndex={-1}
        className="sr-only"
        onChange={(event) => {
          onFiles(event.target.files)
          // The same file may be chosen again after an error.
          event.target.value = ''
        }}
      />
      <Button
        name="qrcodeUrl"
        variant="outline"
        isBusy={isBusy}
        busyText={text.readingImage}
        onClick={() => input.current?.click()}
        aria-describedby={describedBy}
      >
        {label}
      </Button>
    </>
  )
}
