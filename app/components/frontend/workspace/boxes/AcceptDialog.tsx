import { Dialog, DialogButton, openDialog } from "../../shared/components/Dialog";
import { plural } from "../../shared/dom";

/** Ask whether the rest of a page's elements is right. */
export function askToAccept(host: Element, count: number, page: Pt.Place, onAccept: () => void) {
  const elements = plural(count, "element");
  return openDialog(host, (close) => (
    <Dialog
      title="Accept the rest of this page?"
      testid="accept-dialog"
      final
      onSubmit={() => {
        close();
        onAccept();
      }}
      onClose={() => close()}
      actions={
        <>
          <DialogButton onClick={() => close()}>Keep checking</DialogButton>
          <DialogButton main testid="confirm-accept">
            {`Accept ${elements}`}
          </DialogButton>
        </>
      }
    >
      <p>
        {`${elements} of page ${page.page} of ${page.document} will count as checked by you: ` +
          "box, label, text and order are right as they are."}
      </p>
    </Dialog>
  ));
}
