// Recovery codes, shown only once: copy, download, confirm.
import { factorsText as text } from '#shared/factors/text/en.ts'
import { copyText } from '#web/lib/copy-text.ts'
import { saveFile } from '#web/lib/download.ts'
import { Button } from '#web/ui/button.tsx'
import { CopyIcon, DownloadIcon } from '#web/ui/icon.ts'
import { toast } from '#web/lib/toast.ts'

const icon = { 'aria-hidden': true, className: 'size-3.5', strokeWidth: 1.75 } as const

export function RecoveryCodes({ codes, onDone }: { readonly codes: readonly string[]; readonly onDone: () => void }) {
  const lines = codes.join('\n')
  const copy = async () => {
    if (await copyText(lines)) toast({ kind: 'ok', text: text.codesCopied })
    else toast({ kind: 'danger', text: text.actionFailed })
  }
  return (
    <div className="grid gap-4">
      <p className="text-13 text-pretty text-text-2">{text.codesSave}</p>
      <ol aria-label={text.codesTitle} className="grid gap-1.5 rounded-panel border border-line bg-canvas px-4 py-3 text-13">
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ol>
      <div className="flex flex-wrap items-center gap-2">
        <Button variant="outline" onClick={() => void copy()} icon={<CopyIcon {...icon} />}>
          {text.codesCopy}
        </Button>
        <Button
          variant="outline"
          onClick={() => saveFile(new Blob([`${lines}\n`], { type: 'text/plain' }), text.codesFile)}
          icon={<DownloadIcon {...icon} />}
        >
          {text.codesDownload}
        </Button>
        <Button className="ml-auto" onClick={onDone}>
          {text.codesDone}
        </Button>
      </div>
    </div>
  )
}
