import { FoldButton } from "../../shared/components/Button";

export interface FoldRowProps {
  open: boolean;
  text: string;
  /** columns of the table */
  width: number;
  onToggle: () => void;
}

/** A row that unfolds the rows below a part in which all agree. */
export function FoldRow({ open, text, width, onToggle }: FoldRowProps) {
  return (
    <tr class="sub">
      <td colSpan={width}>
        <FoldButton open={open} text={text} onToggle={onToggle} />
      </td>
    </tr>
  );
}
