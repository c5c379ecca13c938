// Chooses the QR image of a plan and shows it, with whom it pays.
import { useId, useRef, useState } from 'react'
import { amountOf } from '#shared/base/decimal.ts'
import { adminScreensText as text } from '#shared/text/en/admin-screens.ts'
import { Button } from '#web/ui/button.tsx'
import { QrCodeIcon } from '#web/ui/icon.ts'
import { imageTypes } from './image-rules.ts'
import { PayeeNote } from './payee-note.tsx'
import type { PlanValues } from './plan-form.ts'
import { useImageChoice, type KnownPayee } from './use-image-choice.ts'

export interface ImagePickerProps {
  readonly values: PlanValues
  /** Whom the image pays with which the form started. */
  readonly payee: KnownPayee
  /** What the form finds wrong with it, such as that there is none. */
  readonly formFault: string | undefined
  readonly onImage: (dataUrl: string) => void
}

export function ImagePicker({ values, payee: known, formFault, onImage }: ImagePickerProps) {
  const { isReading, fault: choiceFault, payee, choose } = useImageChoice(known, onImage)
  const fault = choiceFault ?? formFault
  const [isOver, setIsOver] = useState(false)
  const input = useRef<HTMLInputElement>(null)
  const id = useId()
  const hasImage = values.qrcodeUrl !== ''
  const take = (files: FileList | null) => {
    const file = files?.[0]
    if (file !== undefined) void choose(file)
  }
  return (
    <fieldset aria-busy={isReading} className="min-w-0">
      <legend className="pb-1.5 text-13 font-medium text-text-2">{text.image}</legend>
      <div
        onDragOver={(event) => {
          event.preventDefault()
          setIsOver(true)
        }}
        onDragLeave={() => setIsOver(false)}
        onDrop={(event) => {
          event.preventDefault()
          setIsOver(false)
          take(event.dataTransfer.files)
        }}
        className={`flex items-center gap-4 rounded-panel border border-dashed p-3 ${isOver ? 'border-focus bg-hover' : 'border-line-strong'}`}
      >
        {hasImage ? (
          <img src={values.qrcodeUrl} alt={text.imagePreview} className="size-28 shrink-0 rounded-control bg-white object-contain" />
        ) : (
          <span aria-hidden className="grid size-28 shrink-0 place-items-center rounded-control bg-canvas text-text-3">
            <QrCodeIcon className="size-8" strokeWidth={1} />
          </span>
        )}
        <div className="min-w-0 flex-1">
          <input
            ref={input}
            id={id}
            type="file"
            aria-label={text.image}
            accept={imageTypes.join(',')}
            tabIndex={-1}
            className="sr-only"
            onChange={(event) => {
              take(event.target.files)
              // The same file may be chosen again after a fault.
              event.target.value = ''
            }}
          />
          <Button
            name="qrcodeUrl"
            variant="outline"
            isBusy={isReading}
            busyText={text.readingImage}
            onClick={() => input.current?.click()}
            aria-describedby={fault === undefined ? `${id}-rules` : `${id}-fault ${id}-rules`}
          >
            {hasImage ? text.changeImage : text.chooseImage}
          </Button>
          <p id={`${id}-rules`} className="mt-2 text-12 text-text-3">
            {text.imageRules}
          </p>
        </div>
      </div>
      {fault !== undefined && (
        <p id={`${id}-fault`} role="alert" className="pt-1.5 text-12 text-danger">
          {fault}
        </p>
      )}
      {hasImage && !isReading && <PayeeNote code={payee} price={amountOf(values.price)} type={values.type} />}
    </fieldset>
  )
}
