/** Offers bytes as a download. */
export function saveBlob(name: string, content: Blob): void {
  const url = URL.createObjectURL(content);
  saveUrl(url, name);
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}

/** Downloads an address of the console without reading it into memory. */
export function saveUrl(url: string, name: string): void {
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
}
