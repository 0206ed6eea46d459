/** Does not follow redirects, and keeps the cookies of each origin. */
export function madeBrowser() {
  const jars = new Map<string, Map<string, string>>();
  const jarOf = (url: URL) => jars.get(url.origin) ?? jars.set(url.origin, new Map()).get(url.origin)!;
  return {
    cookies: (address: string) => jarOf(new URL(address)),
    async request(address: string, init: RequestInit = {}): Promise<Response> {
      const url = new URL(address);
      const jar = jarOf(url);
      const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ');
      const headers = { ...(init.headers as Record<string, string>), ...(cookie === '' ? {} : { cookie }) };
      const response = await fetch(url, { ...init, headers, redirect: 'manual' });
      for (const line of response.headers.getSetCookie()) {
        const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
        if (value === '' || /max-age=0|expires=Thu, 01 Jan 1970/i.test(line)) jar.delete(name);
        else jar.set(name, value);
      }
      return response;
    },
  };
}

export type MadeBrowser = ReturnType<typeof madeBrowser>;
