/** Foreign text: isolated from the direction of what is around it, cut, with the whole in a title. */
export function Text({ value, limit = 160 }: { readonly value: string; readonly limit?: number | undefined }) {
  return (
    <bdi class="text" title={value}>
      {value.length > limit ? `${value.slice(0, limit)}…` : value}
    </bdi>
  );
}
