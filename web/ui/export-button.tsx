// Button of a filter bar that saves what the bar selects.
import { adminScreensText } from '#shared/text/en/admin-screens.ts'
import { Button, type ButtonProps } from './button.tsx'
import { DownloadIcon } from './icon.ts'

export function ExportButton(props: Pick<ButtonProps, 'isBusy' | 'onClick'>) {
  return (
    <Button {...props} variant="outline" className="ml-auto" icon={<DownloadIcon aria-hidden className="size-3.5" strokeWidth={1.75} />}>
      {adminScreensText.exportCsv}
    </Button>
  )
}
