def svg(view, seat, reveal=None): return ""
def ansi(view, seat, reveal=None): return ""
