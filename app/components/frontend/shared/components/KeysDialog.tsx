import { t } from "../messages";
import { Dialog, openDialog } from "./Dialog";

/** Show what the keys of a screen do. */
export function openKeys(host: Element, keys: Pt.ScreenKey[]) {
  return openDialog(host, (close) => (
    <Dialog title={t("Keys")} testid="help-dialog" wide onClose={close}>
      <div class="key-map">
        {keyGroups(keys).map(([title, group]) => (
          <section>
            <h3>{title}</h3>
            <dl class="keys stack tight">
              {group.map(({ shown, label }) => (
                <div>
                  <dt>
                    {shown.map((key) => (
                      <kbd>{key}</kbd>
                    ))}
                  </dt>
                  <dd>{label}</dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
      <p class="quiet">{t("Keys without Ctrl are off while you type; Esc leaves the field.")}</p>
    </Dialog>
  ));
}

function keyGroups(keys: Pt.ScreenKey[]) {
  const groups = new Map<string, Pt.ScreenKey[]>();
  for (const key of keys)
    if (key.label) groups.set(key.group, [...(groups.get(key.group) ?? []), key]);
  return [...groups];
}
