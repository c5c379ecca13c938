// Screen for unexpected errors, without the error's message.
import { appText as text } from '#shared/text/en/app.ts'
import { useTitle } from '#web/lib/use-title.ts'
import { Button, buttonClass } from '#web/ui/button.tsx'
import { paths } from '../paths.ts'
import { PicturePage } from './picture-page.tsx'
import { FlatLinePicture } from './flat-line-picture.tsx'

/** Home is a full page load: the router's state may be the cause of the error. */
export function CrashScreen() {
  useTitle(text.crashTab)
  return (
    <PicturePage picture={<FlatLinePicture />} title={text.crashTitle} text={text.crashText}>
      <Button size="large" onClick={() => window.location.reload()}>
        {text.reload}
      </Button>
      <a href={paths.home} className={buttonClass('outline', 'large')}>
        {text.goHome}
      </a>
    </PicturePage>
  )
}
