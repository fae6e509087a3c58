export const threadUrl = (id: number, baseUrl: string): string => `${baseUrl}/notifications/threads/${id}`;
